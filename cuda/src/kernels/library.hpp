// The kernels of the rules, for numbers `T`.
//
// An array is seen as (outer, n, inner) around the axis that a kernel works along: a row has n entries, which lie `inner` apart. A long row is
// the work of a block if its entries lie side by side (`_rows`), sixteen of them if they lie apart (`_columns`); a short one of a thread
// (`_short`).

#define KERNEL extern "C" __global__ void

// y ← value
KERNEL fill(Int n, T* y, T value) { EACH(i, n) y[i] = value; }
// y ← y + a·x
KERNEL axpy(Int n, T a, const T* x, T* y) { EACH(i, n) y[i] += a * x[i]; }
// y ← y + a
KERNEL add_constant(Int n, T a, T* y) { EACH(i, n) y[i] += a; }
// y ← a·x
KERNEL scaled(Int n, T a, const T* x, T* y) { EACH(i, n) y[i] = a * x[i]; }

KERNEL from_double(Int n, const double* x, T* y) { EACH(i, n) y[i] = T(x[i]); }
KERNEL from_float(Int n, const float* x, T* y) { EACH(i, n) y[i] = T(x[i]); }
KERNEL from_int(Int n, const int* x, T* y) { EACH(i, n) y[i] = T(x[i]); }
KERNEL from_bool(Int n, const bool* x, T* y) { EACH(i, n) y[i] = x[i] ? T(1) : T(0); }
KERNEL add_from_double(Int n, const double* x, T* y) { EACH(i, n) y[i] += T(x[i]); }
KERNEL add_from_float(Int n, const float* x, T* y) { EACH(i, n) y[i] += T(x[i]); }

#define TEAM(name, parameters, ...)                                                     \
    template <int LANES> __device__ void name parameters;                                \
    KERNEL name##_rows parameters { name<1>(__VA_ARGS__); }                              \
    KERNEL name##_columns parameters { name<16>(__VA_ARGS__); }                          \
    KERNEL name##_short parameters { name<0>(__VA_ARGS__); }                             \
    template <int LANES> __device__ void name parameters

// Each row r of a team. Where fewer are left than a block takes, the last lanes go along without entries, for the barriers.
#define ROWS(r)                                                                          \
    const Team<LANES> team;                                                              \
    const Int apart = LANES == 1 ? 1 : inner;                                            \
    for (Int base = team.first; base < outer * inner; base += team.step)                 \
        for (Int once = 1, is = base + team.lane < outer * inner, r = is ? base + team.lane : base, mine = is ? team.rank : n + 1; once; once = 0)
#define START(r) ((r) / apart * n * apart + (r) % apart)
// The entries of row r of x that are this thread's: see Kept.
#define KEPT(x) kept(team, (x) + START(r), apart, mine, n)
// For each entry j of a row that is this thread's.
#define ENTRIES(...) team.each(mine, n, [&](Int j) { __VA_ARGS__; })

struct Same { template <class T> __device__ T operator()(T x) const { return x; } };

// The entries of a row that are one thread's, as `of` makes them, for a kernel that looks at them more than once: the first eight are read
// once, all before any is used, and stay in registers; later ones are read at every look.
template <class T, class Team, class Of = Same> struct Kept {
    static const int COUNT = 8;
    const Team& team;
    const T* row;
    Int apart, first, n;
    Of of;
    int reach;  // of the eight, from the first on
    T kept[COUNT];

    __device__ Kept(const Team& team, const T* row, Int apart, Int first, Int n, Of of = Of()) : team(team), row(row), apart(apart), first(first), n(n), of(of) {
        reach = n <= first ? 0 : n - first < COUNT * team.size ? (int)(n - first) : COUNT * team.size;
    }
    __device__ void read() {
        const T* own = row + first * apart;
        registers([&](int k) { kept[k] = own[k * team.size * apart]; });
    }
    // g of each entry
    template <class G> __device__ Kept<T, Team, G> map(G g) const {
        Kept<T, Team, G> mapped(team, row, apart, first, n, g);
        registers([&](int k) { mapped.kept[k] = g(kept[k]); });
        return mapped;
    }
    __device__ T at(Int j) const { return of(row[j * apart]); }
    // f(x[j], y[j]…) for each entry, and what other rows have there
    template <class F, class... Rows> __device__ void each(F f, const Rows&... others) const {
        registers([&](int k) { f(kept[k], others.kept[k]...); });
        team.each(first + COUNT * team.size, n, [&](Int j) { f(at(j), others.at(j)...); });
    }
    // to[j] ← f(x[j], y[j]…)
    template <class F, class... Rows> __device__ void write(T* to, F f, const Rows&... others) const {
        T* own = to + first * apart;
        registers([&](int k) { own[k * team.size * apart] = f(kept[k], others.kept[k]...); });
        team.each(first + COUNT * team.size, n, [&](Int j) { to[j * apart] = f(at(j), others.at(j)...); });
    }
    // f(k) for those in registers: without questions if there are eight
    template <class F> __device__ void registers(F f) const {
        if (reach == COUNT * team.size) {
            #pragma unroll
            for (int k = 0; k < COUNT; ++k) f(k);
        } else {
            #pragma unroll
            for (int k = 0; k < COUNT; ++k)
                if (k * team.size < reach) f(k);
        }
    }
};
template <class T, class Team> __device__ Kept<T, Team> kept(const Team& team, const T* row, Int apart, Int first, Int n) {
    Kept<T, Team> entries(team, row, apart, first, n);
    entries.read();
    return entries;
}
// What is no number is passed over: one instruction, where the maximum is only subtracted.
struct Shift { template <class T> __device__ static T of(T a, T b) { return machine::fmax(a, b); } template <class T> __device__ static T none() { return lowest<T>(); } };

// Each entry of a long array that is this thread's in block b of `blocks`.
#define SHARE(i, b) _Pragma("unroll 8") for (Int i = (b) * team.size + team.rank; i < n; i += blocks * team.size)

// out[b] ← Σ x[i]·y[i] over the entries of block b; y null for ones
KERNEL partial_sums(Int n, Int blocks, const T* x, const T* y, T* out) {
    const Team<1> team;
    for (Int b = team.first; b < blocks; b += team.step) {
        T sum = T(0);
        if (y) { SHARE(i, b) sum += x[i] * y[i]; }
        else { SHARE(i, b) sum += x[i]; }
        sum = team.all<Sum>(sum);
        if (team.rank == 0) out[b] = sum;
    }
}

// out[b] ← how many of the entries of block b are not zero
KERNEL partial_counts(Int n, Int blocks, const T* x, const T*, T* out) {
    const Team<1> team;
    for (Int b = team.first; b < blocks; b += team.step) {
        T count = T(0);
        SHARE(i, b) count += x[i] == T(0) ? T(0) : T(1);
        count = team.all<Sum>(count);
        if (team.rank == 0) out[b] = count;
    }
}

// y[r] (+)= a·Σ x
TEAM(sum, (Int outer, Int n, Int inner, T a, const T* x, T* y, int add), outer, n, inner, a, x, y, add) {
    ROWS(r) {
        const T* row = x + START(r);
        T sum = T(0);
        ENTRIES(sum += row[j * apart]);
        sum = a * team.template all<Sum>(sum);
        if (mine == 0) y[r] = add ? y[r] + sum : sum;
    }
}

// out[p, r] ← Σ x over part p of row r
KERNEL sum_parts(Int outer, Int n, Int inner, Int parts, const T* x, T* out) {
    const Team<16> team;
    const Int apart = inner, rows = outer * inner, tiles = (rows + 15) / 16, each = (n + parts - 1) / parts;
    for (Int tile = blockIdx.x; tile < tiles * parts; tile += gridDim.x) {
        const Int part = tile / tiles, r = tile % tiles * 16 + team.lane, from = part * each, to = from + each < n ? from + each : n;
        const bool is = r < rows;
        const T* row = x + (is ? START(r) : 0);
        T sum = T(0);
        team.each(is ? from + team.rank : to, to, [&](Int j) { sum += row[j * apart]; });
        sum = team.all<Sum>(sum);
        if (is && team.rank == 0) out[part * rows + r] = sum;
    }
}

// x̄ += a·ȳ[r], and x̄ ← a·ȳ[r] to repeat
KERNEL spread(Int outer, Int n, Int inner, T a, const T* dy, T* dx, int add) {
    EACH(i, outer * n * inner) {
        T v = a * dy[i / (n * inner) * inner + i % inner];
        dx[i] = add ? dx[i] + v : v;
    }
}

// y[r] ← max x, ties[r] ← how often it occurs
TEAM(maximum, (Int outer, Int n, Int inner, const T* x, T* y, T* ties), outer, n, inner, x, y, ties) {
    ROWS(r) {
        const auto row = KEPT(x);
        T best = Max::none<T>();
        row.each([&](T v) { best = Max::of(best, v); });
        best = team.template all<Max>(best);
        T count = T(0);
        row.each([&](T v) { count += v == best ? T(1) : T(0); });
        count = team.template all<Sum>(count);
        if (mine == 0) { y[r] = best; if (ties) ties[r] = count; }
    }
}
// ẏ[r] ← the mean of ẋ where x is the maximum
TEAM(maximum_tangent, (Int outer, Int n, Int inner, const T* x, const T* y, const T* ties, const T* dx, T* dy), outer, n, inner, x, y, ties, dx, dy) {
    ROWS(r) {
        Int start = START(r);
        T sum = T(0);
        ENTRIES(if (x[start + j * apart] == y[r]) sum += dx[start + j * apart]);
        sum = team.template all<Sum>(sum);
        if (mine == 0) dy[r] = ties[r] == T(0) ? T(0) : sum / ties[r];
    }
}
KERNEL maximum_cotangent(Int outer, Int n, Int inner, const T* x, const T* y, const T* ties, const T* dy, T* dx) {
    EACH(i, outer * n * inner) {
        Int r = i / (n * inner) * inner + i % inner;
        if (x[i] == y[r]) dx[i] += dy[r] / ties[r];
    }
}

// y[r] ← ln Σ exp x
TEAM(logsumexp, (Int outer, Int n, Int inner, const T* x, T* y), outer, n, inner, x, y) {
    ROWS(r) {
        const auto row = KEPT(x);
        T best = Shift::none<T>();
        row.each([&](T v) { best = Shift::of(best, v); });
        best = team.template all<Shift>(best);
        // an empty row, or one of −∞ alone, or with ∞
        T shift = best - best == T(0) ? best : T(0);
        T sum = T(0);
        row.each([&](T v) { sum += machine::exp(v - shift); });
        sum = team.template all<Sum>(sum);
        if (mine == 0) y[r] = machine::log(sum) + shift;
    }
}
// ẏ[r] ← Σ exp(x − y)·ẋ
TEAM(logsumexp_tangent, (Int outer, Int n, Int inner, const T* x, const T* y, const T* dx, T* dy), outer, n, inner, x, y, dx, dy) {
    ROWS(r) {
        Int start = START(r);
        T sum = T(0);
        ENTRIES(sum += machine::exp(x[start + j * apart] - y[r]) * dx[start + j * apart]);
        sum = team.template all<Sum>(sum);
        if (mine == 0) dy[r] = sum;
    }
}
KERNEL logsumexp_cotangent(Int outer, Int n, Int inner, const T* x, const T* y, const T* dy, T* dx) {
    EACH(i, outer * n * inner) {
        Int r = i / (n * inner) * inner + i % inner;
        dx[i] += machine::exp(x[i] - y[r]) * dy[r];
    }
}

// y ← exp x / Σ exp x
TEAM(softmax, (Int outer, Int n, Int inner, const T* x, T* y), outer, n, inner, x, y) {
    ROWS(r) {
        const auto row = KEPT(x);
        T best = Shift::none<T>();
        row.each([&](T v) { best = Shift::of(best, v); });
        best = team.template all<Shift>(best);
        const auto exps = row.map([&](T v) { return machine::exp(v - best); });
        T sum = T(0);
        exps.each([&](T v) { sum += v; });
        sum = team.template all<Sum>(sum);
        // by 1/Σ it would be rounded once more, which the tester needs three times as long to judge
        exps.write(y + START(r), [&](T v) { return v / sum; });
    }
}
// v (+)= y∘(u − Σ y∘u): the Jacobian is symmetric, and this is tangent and cotangent
TEAM(softmax_map, (Int outer, Int n, Int inner, const T* y, const T* u, T* v, int add), outer, n, inner, y, u, v, add) {
    ROWS(r) {
        const auto ys = KEPT(y);
        const auto us = KEPT(u);
        T sum = T(0);
        ys.each([&](T y, T u) { sum += y * u; }, us);
        sum = team.template all<Sum>(sum);
        auto map = [&](T y, T u) { return y * (u - sum); };
        if (add) {
            const auto vs = KEPT(v);
            vs.write(v + START(r), [&](T v, T y, T u) { return v + map(y, u); }, ys, us);
        } else ys.write(v + START(r), map, us);
    }
}

// y ← (x − μ)/σ, s[r] ← 1/σ, σ² = mean (x − μ)² + ε
TEAM(standardize, (Int outer, Int n, Int inner, T epsilon, const T* x, T* y, T* s), outer, n, inner, epsilon, x, y, s) {
    ROWS(r) {
        const auto row = KEPT(x);
        T sum = T(0);
        row.each([&](T v) { sum += v; });
        T mean = team.template all<Sum>(sum) / T(n);
        T squares = T(0);
        row.each([&](T v) { squares += (v - mean) * (v - mean); });
        T scale = T(1) / machine::sqrt(team.template all<Sum>(squares) / T(n) + epsilon);
        row.write(y + START(r), [&](T v) { return (v - mean) * scale; });
        if (mine == 0 && s) s[r] = scale;
    }
}
// v (+)= (u − mean u − y·mean(y∘u))/σ: the Jacobian is symmetric
TEAM(standardize_map, (Int outer, Int n, Int inner, const T* y, const T* s, const T* u, T* v, int add), outer, n, inner, y, s, u, v, add) {
    ROWS(r) {
        const auto ys = KEPT(y);
        const auto us = KEPT(u);
        T sum = T(0), dot = T(0), scale = s[r];
        ys.each([&](T y, T u) { sum += u; dot += y * u; }, us);
        sum = team.template all<Sum>(sum) / T(n);
        dot = team.template all<Sum>(dot) / T(n);
        auto map = [&](T y, T u) { return (u - sum - y * dot) * scale; };
        if (add) {
            const auto vs = KEPT(v);
            vs.write(v + START(r), [&](T v, T y, T u) { return v + map(y, u); }, ys, us);
        } else ys.write(v + START(r), map, us);
    }
}

// y[j] (+)= x[0] + … + x[j], or from the end: by stretches of four entries a thread
TEAM(prefix_sum, (Int outer, Int n, Int inner, const T* x, T* y, int reversed, int add), outer, n, inner, x, y, reversed, add) {
    ROWS(r) {
        Int start = START(r), step = reversed ? -apart : apart;
        if (reversed) start += (n - 1) * apart;
        T carry = T(0);
        for (Int base = 0; base < n; base += 4 * team.size) {
            Int j = base + 4 * mine;
            T upto[4], sum = T(0), total;
            for (int m = 0; m < 4; ++m) {
                if (j + m < n) sum += x[start + (j + m) * step];
                upto[m] = sum;
            }
            sum = carry + team.before(sum, total);
            for (int m = 0; m < 4; ++m) {
                if (j + m >= n) break;
                T* at = y + start + (j + m) * step;
                *at = add ? *at + sum + upto[m] : sum + upto[m];
            }
            carry += total;
        }
    }
}

// C ← A·B + add·C, matrices with a step for each direction
KERNEL gemm(Int batch, Int m, Int n, Int k, const T* a, Int ar, Int ac, Int as, const T* b, Int br, Int bc, Int bs, T* c, Int cs, int add) {
    EACH(t, batch * m * n) {
        Int j = t % n, i = t / n % m, p = t / n / m;
        const T* x = a + p * as + i * ar;
        const T* y = b + p * bs + j * bc;
        T sum = T(0);
        for (Int l = 0; l < k; ++l) sum += x[l * ac] * y[l * br];
        T* z = c + p * cs + i * n + j;
        *z = add ? *z + sum : sum;
    }
}

// An array of up to six axes inside another: steps in the other array, and where it begins there.
struct Window { Int shape[6], steps[6], start; };
__device__ inline Int inside(const Window& w, Int i) {
    Int at = w.start;
    for (int a = 5; a >= 0; --a) { at += i % w.shape[a] * w.steps[a]; i /= w.shape[a]; }
    return at;
}
// y ← the window of x, or added
KERNEL read_window(Int n, Window w, const T* x, T* y, int add) { EACH(i, n) y[i] = add ? y[i] + x[inside(w, i)] : x[inside(w, i)]; }
// the window of y ← x, or added
KERNEL write_window(Int n, Window w, const T* x, T* y, int add) {
    EACH(i, n) { T* at = y + inside(w, i); *at = add ? *at + x[i] : x[i]; }
}

// y[i] (+)= x[index[i]], rows of `row` entries
KERNEL gather(Int n, Int row, const int* index, const T* x, T* y, int add) {
    EACH(t, n * row) {
        T v = x[index[t / row] * (Int)row + t % row];
        y[t] = add ? y[t] + v : v;
    }
}
// y[k] (+)= Σ x[i] over the i of k, which are order[starts[k]…]: always in the same order
KERNEL scatter(Int m, Int row, const int* starts, const int* order, const T* x, T* y, int add) {
    EACH(t, m * row) {
        T sum = T(0);
        for (int p = starts[t / row]; p < starts[t / row + 1]; ++p) sum += x[order[p] * (Int)row + t % row];
        y[t] = add ? y[t] + sum : sum;
    }
}
// the same by atomic additions, in whatever order they come
KERNEL scatter_atomic(Int n, Int row, const int* index, const T* x, T* y) {
    EACH(t, n * row) atomicAdd(y + index[t / row] * (Int)row + t % row, x[t]);
}

// Images (batch, channels, h, w) to columns (batch, channels·kh·kw, oh·ow), with zeros around
struct Filter { Int channels, h, w, kh, kw, oh, ow, stride, padding; };
KERNEL image_to_columns(Int n, Filter f, const T* x, T* y) {
    EACH(t, n) {
        Int ow = t % f.ow, oh = t / f.ow % f.oh, r = t / f.ow / f.oh;
        Int kw = r % f.kw, kh = r / f.kw % f.kh, p = r / f.kw / f.kh;
        Int i = oh * f.stride + kh - f.padding, j = ow * f.stride + kw - f.padding;
        y[t] = i >= 0 && i < f.h && j >= 0 && j < f.w ? x[(p * f.h + i) * f.w + j] : T(0);
    }
}
// x̄ (+)= what each pixel was read for
KERNEL columns_to_image(Int n, Filter f, const T* y, T* x, int add) {
    EACH(t, n) {
        Int j = t % f.w, i = t / f.w % f.h, p = t / f.w / f.h;
        T sum = T(0);
        for (Int kh = 0; kh < f.kh; ++kh)
            for (Int kw = 0; kw < f.kw; ++kw) {
                Int a = i + f.padding - kh, b = j + f.padding - kw;
                if (a < 0 || b < 0 || a % f.stride || b % f.stride) continue;
                a /= f.stride; b /= f.stride;
                if (a < f.oh && b < f.ow) sum += y[(((p * f.kh + kh) * f.kw + kw) * f.oh + a) * f.ow + b];
            }
        x[t] = add ? x[t] + sum : sum;
    }
}

// Philox 4×32-10 (Salmon, Moraes, Dror, Shaw 2011, doi:10.1145/2063384.2063405): four words for each counter
__device__ inline void philox(unsigned long long seed, unsigned long long stream, unsigned long long counter, unsigned* c) {
    unsigned k0 = (unsigned)seed, k1 = (unsigned)(seed >> 32);
    c[0] = (unsigned)counter; c[1] = (unsigned)(counter >> 32); c[2] = (unsigned)stream; c[3] = (unsigned)(stream >> 32);
    for (int round = 0; round < 10; ++round) {
        unsigned h0 = __umulhi(0xD2511F53u, c[0]), l0 = 0xD2511F53u * c[0];
        unsigned h1 = __umulhi(0xCD9E8D57u, c[2]), l1 = 0xCD9E8D57u * c[2];
        c[0] = h1 ^ c[1] ^ k0; c[1] = l1; c[2] = h0 ^ c[3] ^ k1; c[3] = l0;
        k0 += 0x9E3779B9u; k1 += 0xBB67AE85u;
    }
}
// the middle of one of 2³² equal parts of (0, 1), in double precision
__device__ inline double unit(unsigned word) { return (word + 0.5) * (1.0 / 4294967296.0); }
KERNEL random_words(Int n, unsigned long long seed, unsigned long long stream, int* y) {
    EACH(i, n) { unsigned c[4]; philox(seed, stream, i / 4, c); y[i] = (int)c[i % 4]; }
}
KERNEL random_uniform(Int n, unsigned long long seed, unsigned long long stream, T* y) {
    EACH(i, n) {
        unsigned c[4];
        philox(seed, stream, i / 4, c);
        // below 1 in single precision too
        y[i] = sizeof(T) == 4 ? T((c[i % 4] >> 8) + 0.5f) * T(1.0 / 16777216.0) : T(unit(c[i % 4]));
    }
}
// Box and Muller 1958, doi:10.1214/aoms/1177706645
KERNEL random_normal(Int n, unsigned long long seed, unsigned long long stream, T* y) {
    EACH(i, n) {
        unsigned c[4];
        philox(seed, stream, i / 4, c);
        int pair = i % 4 / 2 * 2;
        double radius = machine::sqrt(-2.0 * machine::log(unit(c[pair]))), angle = 6.283185307179586476925 * unit(c[pair + 1]);
        y[i] = T(radius * (i % 2 ? machine::sin(angle) : machine::cos(angle)));
    }
}
