// v/|v| for rows of three numbers (row D3). The Jacobian is symmetric: one function is tangent and cotangent.
typedef double T;

extern "C" __global__ void normalize(Int n, const T* x, T* y, T* scale) {
    EACH(r, n / 3) {
        const T* v = x + 3 * r;
        scale[r] = 1 / sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]);
        for (int j = 0; j < 3; ++j) y[3 * r + j] = v[j] * scale[r];
    }
}

__device__ void jacobian(Int n, const T* y, const T* u, T* v, const T* scale, bool add) {
    EACH(r, n / 3) {
        T dot = 0;
        for (int j = 0; j < 3; ++j) dot += y[3 * r + j] * u[3 * r + j];
        for (int j = 0; j < 3; ++j) {
            T d = (u[3 * r + j] - y[3 * r + j] * dot) * scale[r];
            v[3 * r + j] = add ? v[3 * r + j] + d : d;
        }
    }
}
extern "C" __global__ void normalize_jvp(Int n, const T*, const T* y, const T* dx, T* dy, const T* scale) { jacobian(n, y, dx, dy, scale, false); }
extern "C" __global__ void normalize_vjp(Int n, const T*, const T* y, const T* dy, T* dx, const T* scale) { jacobian(n, y, dy, dx, scale, true); }
