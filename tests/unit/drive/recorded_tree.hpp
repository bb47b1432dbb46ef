// A small /sys and /proc in a folder of the test's own, as a machine had them.
#pragma once

#include <filesystem>
#include <fstream>
#include <string>

#include "drive/roots.hpp"
#include "support/temporary_directory.hpp"

namespace vmtax::test {

class RecordedTree {
 public:
  RecordedTree() {
    proc("self/mountinfo", "");
    std::filesystem::create_directories(roots().sys / "class/block");
  }

  drive::Roots roots() const { return {folder_.path() / "sys", folder_.path() / "proc"}; }

  void sys(const std::string& path, const std::string& text) { write(roots().sys / path, text); }
  void proc(const std::string& path, const std::string& text) { write(roots().proc / path, text); }

  void link(const std::filesystem::path& path, const std::string& target) {
    std::filesystem::create_directories(path.parent_path());
    std::filesystem::create_symlink(target, path);
  }

  /// A whole disk with its folder under devices/, linked as the kernel links it.
  void disk(const std::string& name, const std::string& number) {
    sys("devices/" + name + "/dev", number + "\n");
    link(roots().sys / "class/block" / name, "../../devices/" + name);
    link(roots().sys / "dev/block" / number, "../../devices/" + name);
  }

  void partition(const std::string& disk, const std::string& name, const std::string& number,
                 int index) {
    const auto folder = "devices/" + disk + "/" + name;
    sys(folder + "/dev", number + "\n");
    sys(folder + "/partition", std::to_string(index) + "\n");
    link(roots().sys / "class/block" / name, "../../" + folder);
    link(roots().sys / "dev/block" / number, "../../" + folder);
  }

  /// A process with its own mount namespace.
  void process(int pid, const std::string& command, const std::string& mounts) {
    const auto folder = std::to_string(pid);
    proc(folder + "/comm", command + "\n");
    proc(folder + "/mountinfo", mounts);
    link(roots().proc / folder / "ns/mnt", "mnt:[" + folder + "]");
  }

 private:
  static void write(const std::filesystem::path& path, const std::string& text) {
    std::filesystem::create_directories(path.parent_path());
    std::ofstream(path, std::ios::binary) << text;
  }

  TemporaryDirectory folder_;
};

}  // namespace vmtax::test
