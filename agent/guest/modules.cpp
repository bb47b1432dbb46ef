#include "guest/modules.hpp"

#include <cerrno>
#include <cstring>
#include <fstream>

#include <fcntl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "kernel/descriptor.hpp"

namespace vmtax::guest {

std::vector<std::string> load_modules(const std::filesystem::path& folder) {
  std::vector<std::string> failed;
  std::ifstream order{folder / "order"};
  std::string name;
  while (std::getline(order, name)) {
    const kernel::Descriptor fd{::open((folder / name).c_str(), O_RDONLY | O_CLOEXEC)};
    if (fd && ::syscall(SYS_finit_module, fd.get(), "", 0) == 0) continue;
    if (errno != EEXIST) failed.push_back(name + ": " + std::strerror(errno));
  }
  return failed;
}

}  // namespace vmtax::guest
