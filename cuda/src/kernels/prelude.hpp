// What printed functions and kernels stand on: numbers that carry partial derivatives, arguments that are broadcast, and
// teams of threads. Compiled by NVRTC for a card and, behind a shim, by a host compiler.

typedef long long Int;

namespace coenzyme {

// The functions of the machine's own numbers.
namespace machine {
#ifdef COENZYME_EMULATED
using std::sin; using std::cos; using std::tan; using std::asin; using std::acos; using std::atan; using std::atan2;
using std::sinh; using std::cosh; using std::tanh; using std::asinh; using std::acosh; using std::atanh;
using std::exp; using std::exp2; using std::expm1; using std::log; using std::log2; using std::log10; using std::log1p;
using std::sqrt; using std::cbrt; using std::pow; using std::hypot; using std::fabs; using std::floor; using std::ceil;
using std::round; using std::trunc; using std::fmod; using std::fmin; using std::fmax; using std::fma; using std::copysign;
#else
using ::sin; using ::cos; using ::tan; using ::asin; using ::acos; using ::atan; using ::atan2;
using ::sinh; using ::cosh; using ::tanh; using ::asinh; using ::acosh; using ::atanh;
using ::exp; using ::exp2; using ::expm1; using ::log; using ::log2; using ::log10; using ::log1p;
using ::sqrt; using ::cbrt; using ::pow; using ::hypot; using ::fabs; using ::floor; using ::ceil;
using ::round; using ::trunc; using ::fmod; using ::fmin; using ::fmax; using ::fma; using ::copysign;
#endif
}  // namespace machine

// partial·tangent. What does not depend on a variable has tangent 0, also where the partial is infinite or does not exist.
template <class T> __device__ T chain(T partial, T tangent) { return tangent == T(0) ? T(0) : partial * tangent; }

// A value and its derivatives along K directions.
template <class T, int K> struct Dual {
    T v;
    T d[K];

    __device__ Dual() {}
    __device__ Dual(T value) : v(value) { for (int k = 0; k < K; ++k) d[k] = T(0); }
    template <class B> __device__ Dual& operator+=(B b) { return *this = *this + b; }
    template <class B> __device__ Dual& operator-=(B b) { return *this = *this - b; }
    template <class B> __device__ Dual& operator*=(B b) { return *this = *this * b; }
    template <class B> __device__ Dual& operator/=(B b) { return *this = *this / b; }
};

// The plain number under a number.
template <class N> struct Number { typedef N Real; };
template <class T, int K> struct Number<Dual<T, K> > { typedef T Real; };

template <class T> __device__ T value(T x) { return x; }
template <class T, int K> __device__ T value(Dual<T, K> x) { return x.v; }

// A plain number where it is bound to a name that may later hold a derivative; anything else as it is.
template <class N, class X> struct Lifted { typedef X type; };
template <class N> struct Lifted<N, typename Number<N>::Real> { typedef N type; };
template <class N> struct Lifted<N, int> { typedef Int type; };
template <class N, class X> __device__ typename Lifted<N, X>::type lift(X x) { return typename Lifted<N, X>::type(x); }

// A dual number from a value and one partial, or two.
template <class T, int K> __device__ Dual<T, K> along(T y, T p, const Dual<T, K>& a) {
    Dual<T, K> r;
    r.v = y;
    for (int k = 0; k < K; ++k) r.d[k] = chain(p, a.d[k]);
    return r;
}
template <class T, int K> __device__ Dual<T, K> along(T y, T p, const Dual<T, K>& a, T q, const Dual<T, K>& b) {
    Dual<T, K> r;
    r.v = y;
    for (int k = 0; k < K; ++k) r.d[k] = chain(p, a.d[k]) + chain(q, b.d[k]);
    return r;
}

#define DUAL template <class T, int K> __device__
#define D Dual<T, K>
DUAL D operator-(D a) { return along(-a.v, T(-1), a); }
DUAL D operator+(D a, D b) { D r(a.v + b.v); for (int k = 0; k < K; ++k) r.d[k] = a.d[k] + b.d[k]; return r; }
DUAL D operator-(D a, D b) { D r(a.v - b.v); for (int k = 0; k < K; ++k) r.d[k] = a.d[k] - b.d[k]; return r; }
DUAL D operator*(D a, D b) { return along(a.v * b.v, b.v, a, a.v, b); }
DUAL D operator/(D a, D b) { T i = T(1) / b.v; return along(a.v / b.v, i, a, -(a.v * i * i), b); }
DUAL D operator+(D a, T b) { a.v += b; return a; }
DUAL D operator+(T a, D b) { b.v += a; return b; }
DUAL D operator-(D a, T b) { a.v -= b; return a; }
DUAL D operator-(T a, D b) { return along(a - b.v, T(-1), b); }
DUAL D operator*(D a, T b) { return along(a.v * b, b, a); }
DUAL D operator*(T a, D b) { return along(a * b.v, a, b); }
DUAL D operator/(D a, T b) { return along(a.v / b, T(1) / b, a); }
DUAL D operator/(T a, D b) { T i = T(1) / b.v; return along(a / b.v, -(a * i * i), b); }
#define COMPARE(op)                                        \
    DUAL bool operator op(D a, D b) { return a.v op b.v; } \
    DUAL bool operator op(D a, T b) { return a.v op b; }   \
    DUAL bool operator op(T a, D b) { return a op b.v; }
COMPARE(<) COMPARE(<=) COMPARE(>) COMPARE(>=) COMPARE(==) COMPARE(!=)
#undef COMPARE

// The methods of Rust's numbers, with the derivatives that the host gives them.
namespace math {

// name(x, y = value) => slope
#define UNARY(name, value, slope)                                                        \
    template <class T> __device__ T name##_value(T x) { return value; }                   \
    template <class T> __device__ T name##_slope(T x, T y) { return slope; }              \
    __device__ float name(float x) { return name##_value<float>(x); }                     \
    __device__ double name(double x) { return name##_value<double>(x); }                  \
    DUAL D name(D a) { T y = name##_value<T>(a.v); return along(y, name##_slope<T>(a.v, y), a); }
UNARY(recip, T(1) / x, -(y * y))
UNARY(sqrt, machine::sqrt(x), T(0.5) / y)
UNARY(cbrt, machine::cbrt(x), T(1) / (T(3) * y * y))
UNARY(exp, machine::exp(x), y)
UNARY(exp2, machine::exp2(x), y * T(0.693147180559945309417))
UNARY(exp_m1, machine::expm1(x), y + T(1))
UNARY(ln, machine::log(x), T(1) / x)
UNARY(ln_1p, machine::log1p(x), T(1) / (x + T(1)))
UNARY(log2, machine::log2(x), T(1.44269504088896340736) / x)
UNARY(log10, machine::log10(x), T(0.434294481903251827651) / x)
UNARY(sin, machine::sin(x), machine::cos(x))
UNARY(cos, machine::cos(x), -machine::sin(x))
UNARY(tan, machine::tan(x), y * y + T(1))
UNARY(asin, machine::asin(x), T(1) / machine::sqrt((T(1) - x) * (T(1) + x)))
UNARY(acos, machine::acos(x), T(-1) / machine::sqrt((T(1) - x) * (T(1) + x)))
UNARY(atan, machine::atan(x), T(1) / (x * x + T(1)))
UNARY(sinh, machine::sinh(x), machine::cosh(x))
UNARY(cosh, machine::cosh(x), machine::sinh(x))
UNARY(tanh, machine::tanh(x), T(1) - y * y)
UNARY(asinh, machine::asinh(x), T(1) / machine::sqrt(x * x + T(1)))
UNARY(acosh, machine::acosh(x), T(1) / (machine::sqrt(x - T(1)) * machine::sqrt(x + T(1))))
UNARY(atanh, machine::atanh(x), T(1) / ((T(1) - x) * (T(1) + x)))
UNARY(abs, machine::fabs(x), x == T(0) ? T(0) : x != x ? x : machine::copysign(T(1), x))
UNARY(signum, x != x ? x : machine::copysign(T(1), x), T(0))
UNARY(fract, x - machine::trunc(x), T(1))
UNARY(floor, machine::floor(x), T(0))
UNARY(ceil, machine::ceil(x), T(0))
UNARY(round, machine::round(x), T(0))
UNARY(trunc, machine::trunc(x), T(0))
UNARY(to_radians, x * T(0.0174532925199432957692), T(0.0174532925199432957692))
UNARY(to_degrees, x * T(57.2957795130823208768), T(57.2957795130823208768))
#undef UNARY

// name(x, z, y = value) => slope in x, slope in z
#define BINARY(name, value, first, second)                                                      \
    template <class T> __device__ T name##_value(T x, T z) { return value; }                     \
    __device__ float name(float x, float z) { return name##_value<float>(x, z); }                \
    __device__ double name(double x, double z) { return name##_value<double>(x, z); }            \
    DUAL D name(D a, D b) {                                                                      \
        T x = a.v, z = b.v, y = name##_value<T>(x, z);                                           \
        return along(y, T(first), a, T(second), b);                                              \
    }                                                                                            \
    DUAL D name(D a, T b) { return name(a, D(b)); }                                              \
    DUAL D name(T a, D b) { return name(D(a), b); }
BINARY(hypot, machine::hypot(x, z), y == T(0) ? T(0) : x / y, y == T(0) ? T(0) : z / y)
BINARY(atan2, machine::atan2(x, z), z / machine::hypot(x, z) / machine::hypot(x, z), -(x / machine::hypot(x, z) / machine::hypot(x, z)))
BINARY(max, machine::fmax(x, z), x >= z || z != z, !(x >= z || z != z))
BINARY(min, machine::fmin(x, z), x <= z || z != z, !(x <= z || z != z))
BINARY(powf, machine::pow(x, z), z == T(0) ? T(0) : z * machine::pow(x, z - T(1)), x == T(0) && z > T(0) ? T(0) : y * machine::log(x))
BINARY(copysign, machine::copysign(x, z), machine::copysign(T(1), x) == machine::copysign(T(1), z) ? T(1) : T(-1), 0)
BINARY(rem_float, machine::fmod(x, z), 1, -machine::trunc(x / z))
#undef BINARY

template <class T> __device__ T power(T x, Int n) { return machine::pow(x, T(n)); }
__device__ float powi(float x, Int n) { return power(x, n); }
__device__ double powi(double x, Int n) { return power(x, n); }
DUAL D powi(D a, Int n) { return along(power(a.v, n), n == 0 ? T(0) : T(n) * power(a.v, n - 1), a); }

template <class A, class B> __device__ auto rem(A a, B b) -> decltype(rem_float(a, b)) { return rem_float(a, b); }
__device__ Int rem(Int a, Int b) { return a % b; }

template <class A, class B, class C> __device__ auto mul_add(A a, B b, C c) -> decltype(a * b + c) { return a * b + c; }
template <class A, class B, class C> __device__ auto clamp(A a, B low, C high) -> decltype(a + low + high) {
    typedef decltype(a + low + high) E;
    return a < low ? E(low) : a > high ? E(high) : E(a);
}

__device__ bool is_nan(float x) { return x != x; }
__device__ bool is_nan(double x) { return x != x; }
DUAL bool is_nan(D a) { return a.v != a.v; }

// integers: I is the type of C++ with the bits that Rust's has
template <class I> __device__ Int to(double x) {
    const bool negative = I(-1) < I(0);
    const int bits = 8 * (int)sizeof(I) - 1 + (!negative && sizeof(I) < 8);
    const double end = double(1ULL << bits);
    if (x != x) return 0;
    if (x >= end) return Int((1ULL << bits) - 1);
    if (x <= (negative ? -end : 0.0)) return negative ? Int(-end) : 0;
    return Int(x);
}
template <class I> __device__ Int to(float x) { return to<I>(double(x)); }
template <class I> __device__ Int to(Int x) { return Int(I(x)); }
template <class I> __device__ Int to(bool x) { return x; }
template <class I, class T, int K> __device__ Int to(D x) { return to<I>(x.v); }
template <class I> __device__ Int shl(Int a, Int n) { return Int(I((unsigned long long)a << n)); }
template <class I> __device__ Int shr(Int a, Int n) { return Int(I(I(a) >> n)); }
template <class I> __device__ Int inverted(Int a) { return Int(I(~a)); }
__device__ bool no(bool a) { return !a; }
__device__ bool no(Int) = delete;  // write the type of the integer
__device__ bool bit_and(bool a, bool b) { return a && b; }
__device__ bool bit_or(bool a, bool b) { return a || b; }
__device__ bool bit_xor(bool a, bool b) { return a != b; }
__device__ Int bit_and(Int a, Int b) { return a & b; }
__device__ Int bit_or(Int a, Int b) { return a | b; }
__device__ Int bit_xor(Int a, Int b) { return a ^ b; }
__device__ Int signum(Int a) { return (a > 0) - (a < 0); }
__device__ Int abs(Int a) { return a < 0 ? -a : a; }
__device__ Int max(Int a, Int b) { return a > b ? a : b; }
__device__ Int min(Int a, Int b) { return a < b ? a : b; }
__device__ Int pow(Int a, Int n) { Int y = 1; for (; n > 0; --n) y *= a; return y; }

}  // namespace math
#undef D
#undef DUAL

// A small array of fixed length.
template <class T, int L> struct Array {
    T at[L];
    __device__ T& operator[](Int i) { return at[i]; }
    __device__ const T& operator[](Int i) const { return at[i]; }
};
template <class N, int L, class X> __device__ Array<typename Lifted<N, X>::type, L> filled(X x) {
    Array<typename Lifted<N, X>::type, L> a;
    for (int i = 0; i < L; ++i) a.at[i] = x;
    return a;
}
template <class N, class X, class... Xs> __device__ Array<typename Lifted<N, X>::type, 1 + sizeof...(Xs)> array(X x, Xs... xs) {
    typedef typename Lifted<N, X>::type E;
    return {{E(x), E(xs)...}};
}

// An argument of a function that is mapped over arrays: a number, or an array whose entries repeat.
template <class T> struct In {
    const T* at;   // null for a number
    Int period;    // 0 for an array as long as the result
    T value;
    __device__ T operator[](Int i) const { return at ? at[period ? i % period : i] : value; }
};

// One address for each lane, or one argument.
template <class T, int W> struct Lanes { T* at[W]; };
template <class T, int W> struct Ins { In<T> at[W]; };

// A number that moves along W directions.
template <class T, int W> __device__ Dual<T, W> moving(T x, const Ins<T, W>& dx, Int i) {
    Dual<T, W> r;
    r.v = x;
    for (int w = 0; w < W; ++w) r.d[w] = dx.at[w][i];
    return r;
}

// The variable number k of K.
template <int K, int k, class T> __device__ Dual<T, K> variable(T x) { Dual<T, K> r(x); r.d[k] = T(1); return r; }

// Each index below n that is this thread's.
#define EACH(i, n) \
    for (Int i = blockIdx.x * (Int)blockDim.x + threadIdx.x; i < (n); i += (Int)gridDim.x * blockDim.x)

// −∞; as a quotient it would be computed, by a call
template <class T> __device__ T lowest() { return T(-1e300 * 1e300); }

struct Sum { template <class T> __device__ static T of(T a, T b) { return a + b; } template <class T> __device__ static T none() { return T(0); } };
// What is no number stays.
struct Max { template <class T> __device__ static T of(T a, T b) { return b > a || b != b ? b : a; } template <class T> __device__ static T none() { return lowest<T>(); } };

// The threads that work on one row; all of a block call `all` and `before` together. LANES rows share a block, so that neighbouring threads
// read neighbouring entries where those of a row lie apart; with no lanes a thread works alone.
template <int LANES> struct Team {
    int lane, rank, size;
    Int first, step;
    __device__ Team()
        : lane(threadIdx.x % LANES), rank(threadIdx.x / LANES), size(blockDim.x / LANES), first(blockIdx.x * (Int)LANES), step(gridDim.x * (Int)LANES) {}
    // Two barriers. The next call needs none before it writes: who is at its first barrier has read `parts`, and `entries` were read before.
    template <class O, class T> __device__ T all(T x) const {
        alignas(16) __shared__ T entries[256], parts[16 * LANES];
        const int groups = size < 16 ? size : 16;
        entries[threadIdx.x] = x;
        __syncthreads();
        if (rank < groups) {
            for (int k = rank + groups; k < size; k += groups) x = O::of(x, entries[k * LANES + lane]);
            parts[threadIdx.x] = x;
            for (int k = rank + groups; k < 16; k += groups) parts[k * LANES + lane] = O::template none<T>();
        }
        __syncthreads();
        T all[16];
        for (int k = 0; k < 16; ++k) all[k] = parts[k * LANES + lane];
        for (int half = 8; half > 0; half /= 2)
            for (int k = 0; k < half; ++k) all[k] = O::of(all[k], all[k + half]);
        return all[0];
    }
    // The sum over the threads before this one, and over all.
    template <class T> __device__ T before(T x, T& total) const {
        __shared__ T entries[256], parts[16 * LANES];
        const Int each = (size + 15) / 16, groups = (size + each - 1) / each, group = rank / each;
        __syncthreads();
        entries[threadIdx.x] = x;
        __syncthreads();
        if (rank % each == 0) {
            for (Int k = rank + 1; k < rank + each && k < size; ++k) x += entries[k * LANES + lane];
            parts[group * LANES + lane] = x;
        }
        __syncthreads();
        T sum = T(0);
        for (Int k = 0; k < group; ++k) sum += parts[k * LANES + lane];
        total = sum;
        for (Int k = group; k < groups; ++k) total += parts[k * LANES + lane];
        for (Int k = group * each; k < rank; ++k) sum += entries[k * LANES + lane];
        return sum;
    }
    // f(j) for each entry from FIRST that is this thread's, below n. Four are read before the first is used.
    template <class F> __device__ void each(Int first, Int n, F f) const {
        Int j = first;
        for (; j + 3 * size < n; j += 4 * size) { f(j); f(j + size); f(j + 2 * size); f(j + 3 * size); }
        for (; j < n; j += size) f(j);
    }
};
template <> struct Team<0> {
    int lane, rank, size;
    Int first, step;
    __device__ Team() : lane(0), rank(0), size(1), first(blockIdx.x * (Int)blockDim.x + threadIdx.x), step((Int)gridDim.x * blockDim.x) {}
    template <class O, class T> __device__ T all(T x) const { return x; }
    template <class T> __device__ T before(T x, T& total) const { total = x; return T(0); }
    template <class F> __device__ void each(Int first, Int n, F f) const { for (Int j = first; j < n; ++j) f(j); }
};

}  // namespace coenzyme

using namespace coenzyme;
