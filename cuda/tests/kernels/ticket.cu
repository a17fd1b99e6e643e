// Each thread takes a ticket, and the number that lies there. Who gets which is not known before: the ticket is kept (row G9).
typedef double T;

extern "C" __global__ void ticket(Int n, const T* x, T* y, T* tickets, T* counter) {
    EACH(i, n) {
        T mine = atomicAdd(counter, T(1));
        tickets[i] = mine;
        y[i] = x[(Int)mine] * (1 + i);
    }
}
extern "C" __global__ void ticket_vjp(Int n, const T*, const T*, const T* dy, T* dx, const T* tickets, T*) {
    // a permutation: no two threads add to one place
    EACH(i, n) dx[(Int)tickets[i]] += dy[i] * (1 + i);
}
