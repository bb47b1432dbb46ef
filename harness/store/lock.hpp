// Who is at work in a run directory: a lock on DIR/vmtax.lock that goes with its process, however
// it ends.
#pragma once

#include <filesystem>
#include <optional>

#include "base/fd.hpp"

namespace vmtax::store {

/// The lock of the one writer; EnvironmentError that names the other process when there is one.
Fd lock_for_writing(const std::filesystem::path& directory);

/// What a reader found. With `writer_alive` a writer holds the lock; else `lock` (where the file
/// could be opened) keeps writers out while the store is read.
struct ReaderLock {
  Fd lock;
  bool writer_alive = false;
};
ReaderLock lock_for_reading(const std::filesystem::path& directory);

}  // namespace vmtax::store
