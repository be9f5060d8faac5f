// Starts emitted CUDA by the driver: `tilework kernel transpose.tw emit --as cuda > transpose.cu`, then
// `g++ -std=c++17 launch.cpp -lcuda -lnvrtc && ./a.out transpose.cu`. The order of the arguments, the grid and the conditions are what
// `tilework kernel transpose.tw emit --as cuda --json` prints.

#include <cuda.h>
#include <nvrtc.h>

#include <cassert>
#include <cstdio>
#include <fstream>
#include <sstream>
#include <stdexcept>
#include <string>
#include <vector>

// The structure of the emitted text.
struct transpose_sizes {
    unsigned M, N, lda, ldb;
};

static void check(CUresult result) {
    const char* text = nullptr;
    if (result != CUDA_SUCCESS && cuGetErrorString(result, &text) == CUDA_SUCCESS) throw std::runtime_error(text);
}

static void check(nvrtcResult result) {
    if (result != NVRTC_SUCCESS) throw std::runtime_error(nvrtcGetErrorString(result));
}

static std::string compiled(const std::string& source) {
    nvrtcProgram program;
    check(nvrtcCreateProgram(&program, source.c_str(), "kernel.cu", 0, nullptr, nullptr));
    check(nvrtcCompileProgram(program, 0, nullptr));
    size_t size = 0;
    check(nvrtcGetPTXSize(program, &size));
    std::string ptx(size, '\0');
    check(nvrtcGetPTX(program, ptx.data()));
    check(nvrtcDestroyProgram(&program));
    return ptx;
}

int main(int count, char** arguments) {
    if (count != 2) throw std::runtime_error("give the file with the emitted text");
    std::stringstream source;
    source << std::ifstream(arguments[1]).rdbuf();
    const long long M = 1000, N = 700, lda = N, ldb = M;
    // The conditions: of the grid, and then of the addresses.
    assert((M + 31) / 32 <= 65535 && (N + 31) / 32 <= 65535);
    assert(M * lda + N <= lda + 4294967296);
    assert(ldb >= M || N <= 1);
    assert(N * ldb + M <= ldb + 4294967296);

    CUdevice device;
    CUcontext context;
    CUmodule module;
    CUfunction kernel;
    check(cuInit(0));
    check(cuDeviceGet(&device, 0));
    check(cuDevicePrimaryCtxRetain(&context, device));
    check(cuCtxSetCurrent(context));
    check(cuModuleLoadData(&module, compiled(source.str()).c_str()));
    check(cuModuleGetFunction(&kernel, module, "transpose"));

    std::vector<float> from(M * N), to(M * N);
    for (size_t i = 0; i < from.size(); i++) from[i] = static_cast<float>(i);
    CUdeviceptr a, b;
    check(cuMemAlloc(&a, sizeof(float) * from.size()));
    check(cuMemAlloc(&b, sizeof(float) * to.size()));
    check(cuMemcpyHtoD(a, from.data(), sizeof(float) * from.size()));
    transpose_sizes sizes{unsigned(M), unsigned(N), unsigned(lda), unsigned(ldb)};
    void* parameters[] = {&a, &b, &sizes};
    // The grid: ceil(M/32), ceil(N/32); the shared memory is declared in the text.
    check(cuLaunchKernel(kernel, (M + 31) / 32, (N + 31) / 32, 1, 256, 1, 1, 0, nullptr, parameters, nullptr));
    check(cuMemcpyDtoH(to.data(), b, sizeof(float) * to.size()));
    for (long long m = 0; m < M; m++)
        for (long long n = 0; n < N; n++) assert(to[m + n * ldb] == from[m * lda + n]);
    std::printf("%lldx%lld transposed\n", M, N);
}
