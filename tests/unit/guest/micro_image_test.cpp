#include "guest/micro_image.hpp"

#include <fstream>

#include "base/errors.hpp"
#include "support/catch.hpp"
#include "support/temporary_directory.hpp"

using namespace vmtax;
using namespace vmtax::guest;

namespace {

// The header of Linux' boot protocol, with the version text right behind it.
void write_kernel(const std::filesystem::path& path, const std::string& version) {
  std::string image(0x400, '\0');
  image.replace(0x202, 4, "HdrS");
  image[0x20e] = '\x00';
  image[0x20f] = '\x01';  // 0x100 + 0x200
  image.replace(0x300, version.size(), version);
  std::ofstream{path, std::ios::binary} << image;
}

}  // namespace

TEST_CASE("a kernel image tells its release") {
  const test::TemporaryDirectory folder;
  const auto image = folder.path() / "vmlinuz";
  write_kernel(image, "6.1.0-57-cloud-amd64 (debian-kernel@x) #1 SMP");
  CHECK(kernel_release(image) == "6.1.0-57-cloud-amd64");
  std::ofstream{image} << "no kernel at all";
  CHECK_FALSE(kernel_release(image));
  CHECK_FALSE(kernel_release(folder.path() / "absent"));
}

TEST_CASE("a kernel that can't be used is refused with the reason") {
  const test::TemporaryDirectory folder;
  const auto image = folder.path() / "vmlinuz";
  CHECK_THROWS_WITH(micro_image(image.string(), "/bin/true"), Catch::Contains("can't be read"));
  std::ofstream{image} << "no kernel at all";
  CHECK_THROWS_WITH(micro_image(image.string(), "/bin/true"), Catch::Contains("bzImage"));
  write_kernel(image, "0.0.0-none ");
  CHECK_THROWS_WITH(micro_image(image.string(), "/bin/true"),
                    Catch::Contains("lib/modules/0.0.0-none"));
}

TEST_CASE("under emulation the guest's kernel is told to trust the TSC") {
  CHECK(kernel_arguments(Accelerator::tcg).find("tsc=reliable") != std::string::npos);
  CHECK(kernel_arguments(Accelerator::kvm).find("tsc=reliable") == std::string::npos);
}
