#include "kernel/libaio_engine.hpp"

#include "kernel/engine_errors.hpp"
#include "kernel/failures.hpp"

namespace vmtax::kernel {

LibaioEngine::LibaioEngine(const EngineSetup& setup)
    : block_size_(setup.block_size),
      flush_opcode_(setup.data_only ? IOCB_CMD_FDSYNC : IOCB_CMD_FSYNC),
      blocks_(setup.slots),
      queued_(setup.slots),
      events_(setup.slots) {
  if (::syscall(SYS_io_setup, setup.slots, &context_) != 0) {
    const int number = errno;
    throw Refused{explain_libaio_error(number, setup.slots), number};
  }
  for (std::uint32_t slot = 0; slot < setup.slots; ++slot) {
    blocks_[slot].aio_fildes = static_cast<std::uint32_t>(setup.fd);
    blocks_[slot].aio_data = slot;
  }
}

LibaioEngine::~LibaioEngine() {
  ::syscall(SYS_io_destroy, context_);
}

}  // namespace vmtax::kernel
