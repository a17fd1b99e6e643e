typedef double T;
template <class N> __device__ N main__device_functions__square(N x);
template <class N> __device__ N main__device_functions__various(N x, N y);

template <class N> __device__ N main__device_functions__square(N x) {
    typedef typename Number<N>::Real R;
    return x * x;
}
template <class N> __device__ N main__device_functions__various(N x, N y) {
    typedef typename Number<N>::Real R;
    if (x > R(2.0)) {
        return main__device_functions__square<N>(x) * y;
    }
    auto state = lift<N>(array<N>(x, y, R(1.0)));
    auto sum = lift<N>(R(0.0));
    for (Int i = 0LL, end = (3LL); i < end; ++i) {
        auto weight = lift<N>((i == 1LL ? R(0.5) : R(3.141592653589793)));
        state[i] = state[i] * weight;
        sum += state[i] * main__device_functions__square<N>(y);
    }
    auto sum_2 = lift<N>(sum + R(1.0));
    auto turn = lift<N>(0LL);
    auto z = lift<N>(math::sqrt(math::abs(x)));
    while (turn < 4LL) {
        auto scale = lift<N>([&] {
            {
                const Int matched = turn;
                if (matched == 0LL) {
                    return lift<N>(R(1.0));
                } else if (matched == 1LL || matched == 2LL) {
                    return lift<N>(math::tanh(y));
                } else {
                    return lift<N>(R(0.25));
                }
            }
        }());
        z = z * scale + R(0.1);
        turn += 1LL;
    }
    return math::max(sum_2, z) + math::atan2((z / (R(1.0) + sum_2 * sum_2)), R(2.0));
}

extern "C" __global__ void map_value(Int n, T* y, In<T> x0, In<T> x1) {
    const Int step = (Int)gridDim.x * blockDim.x;
    for (Int i = blockIdx.x * (Int)blockDim.x + threadIdx.x; i < n; i += 2 * step) {
        const Int j = i + step < n ? i + step : i;
        const T a0 = x0[i], a1 = x1[i], b0 = x0[j], b1 = x1[j];
        const T u = main__device_functions__various<T>(a0, a1), v = main__device_functions__various<T>(b0, b1);
        y[i] = u;
        y[j] = v;
    }
}

extern "C" __global__ void map_reverse(Int n, Lanes<const T, 4> dy, In<T> x0, In<T> x1, Lanes<T, 4> s0, Lanes<T, 4> s1) {
    EACH(i, n) {
        const T g = dy.at[0] ? dy.at[0][i] : T(0), a0 = s0.at[0] ? s0.at[0][i] : T(0), a1 = s1.at[0] ? s1.at[0][i] : T(0);
        {
            const Dual<T, 2> r = main__device_functions__various<Dual<T, 2> >(variable<2, 0>(x0[i]), variable<2, 1>(x1[i]));
            if (s0.at[0]) s0.at[0][i] = a0 + chain(r.d[0], g);
            if (s1.at[0]) s1.at[0][i] = a1 + chain(r.d[1], g);
            for (int w = 1; w < 4; ++w) {
                if (!dy.at[w]) continue;
                const T h = dy.at[w][i];
                if (s0.at[w]) s0.at[w][i] += chain(r.d[0], h);
                if (s1.at[w]) s1.at[w][i] += chain(r.d[1], h);
            }
        }
    }
}

extern "C" __global__ void map_sums(Int n, Int threads, unsigned long long mask, const T* dy, In<T> x0, In<T> x1, T* out) {
    EACH(t, threads) {
        T sum[2];
        for (int k = 0; k < 2; ++k) sum[k] = T(0);
        for (Int i = t; i < n; i += threads) {
        const T g = dy[i];
        {
            const Dual<T, 2> r = main__device_functions__various<Dual<T, 2> >(variable<2, 0>(x0[i]), variable<2, 1>(x1[i]));
            sum[0] += chain(r.d[0], g);
            sum[1] += chain(r.d[1], g);
        }
        }
        for (int k = 0; k < 2; ++k) if (mask >> k & 1) out[k * threads + t] = sum[k];
    }
}

extern "C" __global__ void map_forward1(Int n, T* y, Lanes<T, 1> dy, In<T> x0, In<T> x1, Ins<T, 1> dx0, Ins<T, 1> dx1) {
    EACH(i, n) {
        const Dual<T, 1> r = main__device_functions__various<Dual<T, 1> >(moving(x0[i], dx0, i), moving(x1[i], dx1, i));
        if (y) y[i] = r.v;
        for (int w = 0; w < 1; ++w) if (dy.at[w]) dy.at[w][i] = r.d[w];
    }
}

extern "C" __global__ void map_forward4(Int n, T* y, Lanes<T, 4> dy, In<T> x0, In<T> x1, Ins<T, 4> dx0, Ins<T, 4> dx1) {
    EACH(i, n) {
        const Dual<T, 4> r = main__device_functions__various<Dual<T, 4> >(moving(x0[i], dx0, i), moving(x1[i], dx1, i));
        if (y) y[i] = r.v;
        for (int w = 0; w < 4; ++w) if (dy.at[w]) dy.at[w][i] = r.d[w];
    }
}
