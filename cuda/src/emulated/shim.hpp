// What CUDA C++ has and C++ has not, for a host compiler. The threads of a block run one after the other; a thread that comes to
// a barrier waits on a stack of its own until all others are there. Blocks run in order. One launch at a time: the caller holds a lock.
// `longjmp` of a fortified library (the default of several distributions) refuses to go from one stack to another.
#undef _FORTIFY_SOURCE
#include <setjmp.h>
#include <ucontext.h>
#include <cmath>
#include <cstdlib>
#include <utility>
#include <vector>

#define __global__
#define __device__
#define __forceinline__
#define __restrict__
#define __shared__ static
#define COENZYME_EMULATED 1

struct Extent { unsigned x, y, z; };
static Extent gridDim, blockDim, blockIdx, threadIdx;

namespace emulation {

const std::size_t STACK = 128 * 1024;

// A stack with a place to go on. It is entered through `context` once; after that jumps are enough, which ask nothing of the kernel
// of the operating system.
struct Fiber {
    ucontext_t context;
    jmp_buf place;
    void* stack;
    bool entered, waits;
};

static jmp_buf scheduler;
static std::vector<Fiber*> idle;
static Fiber* running;
static unsigned next_thread, threads;
static bool trapped;
static void (*body)(void*);
static void* arguments;

static void place(unsigned thread) {
    threadIdx.x = thread % blockDim.x;
    threadIdx.y = thread / blockDim.x % blockDim.y;
    threadIdx.z = thread / blockDim.x / blockDim.y;
}

static void pause(bool waits) {
    Fiber* self = running;
    self->waits = waits;
    if (!_setjmp(self->place)) _longjmp(scheduler, 1);
}

// Runs threads until none is left; those that wait at a barrier keep the fiber that they began on.
static void work() {
    for (;;) {
        while (next_thread < threads) {
            place(next_thread++);
            body(arguments);
        }
        pause(false);
    }
}

static Fiber* fiber() {
    if (!idle.empty()) {
        Fiber* f = idle.back();
        idle.pop_back();
        return f;
    }
    Fiber* f = new Fiber;
    f->stack = std::malloc(STACK);
    f->entered = false;
    getcontext(&f->context);
    f->context.uc_stack.ss_sp = f->stack;
    f->context.uc_stack.ss_size = STACK;
    f->context.uc_link = nullptr;
    makecontext(&f->context, work, 0);
    return f;
}

static void resume(Fiber* f, std::vector<Fiber*>& waiting) {
    running = f;
    if (!_setjmp(scheduler)) {
        if (f->entered) _longjmp(f->place, 1);
        f->entered = true;
        setcontext(&f->context);
    }
    f = running;
    (f->waits ? waiting : idle).push_back(f);
}

static void barrier() {
    Extent me = threadIdx;
    pause(true);
    threadIdx = me;
}

static void block() {
    std::vector<Fiber*> waiting;
    for (next_thread = 0; next_thread < threads;) resume(fiber(), waiting);
    while (!waiting.empty()) {
        std::vector<Fiber*> turn;
        turn.swap(waiting);
        for (Fiber* f : turn) resume(f, waiting);
    }
}

template <class... A, std::size_t... I>
static void apply(void (*kernel)(A...), void** args, std::index_sequence<I...>) {
    kernel(*static_cast<typename std::remove_cv<typename std::remove_reference<A>::type>::type*>(args[I])...);
}

template <class... A>
static int launch(void (*kernel)(A...), const unsigned* grid, const unsigned* extent, void** args) {
    static void (*called)(A...);
    called = kernel;
    body = [](void* a) { apply(called, static_cast<void**>(a), std::index_sequence_for<A...>()); };
    arguments = args;
    gridDim = Extent{grid[0], grid[1], grid[2]};
    blockDim = Extent{extent[0], extent[1], extent[2]};
    threads = extent[0] * extent[1] * extent[2];
    trapped = false;
    for (blockIdx.z = 0; blockIdx.z < grid[2]; ++blockIdx.z)
        for (blockIdx.y = 0; blockIdx.y < grid[1]; ++blockIdx.y)
            for (blockIdx.x = 0; blockIdx.x < grid[0]; ++blockIdx.x) block();
    return trapped;
}

}  // namespace emulation

static inline void __syncthreads() { emulation::barrier(); }
static inline void __threadfence() {}
static inline void __trap() { emulation::trapped = true; }
template <class T> static inline T atomicAdd(T* at, T value) { T old = *at; *at += value; return old; }
template <class T> static inline T atomicMax(T* at, T value) { T old = *at; if (value > old) *at = value; return old; }
template <class T> static inline T atomicMin(T* at, T value) { T old = *at; if (value < old) *at = value; return old; }
static inline int atomicCAS(int* at, int expected, int value) { int old = *at; if (old == expected) *at = value; return old; }
static inline unsigned __umulhi(unsigned a, unsigned b) { return (unsigned)(((unsigned long long)a * b) >> 32); }
