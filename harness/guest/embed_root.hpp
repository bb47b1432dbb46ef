// The private root of an embedded libvirt: ROOT/etc/qemu.conf is ours, all else in it libvirt's.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>

namespace vmtax::guest {

/// EnvironmentError when such a root could not be made: the user that libvirt insists on is
/// missing, the path is not absolute, or too long for its sockets.
void check_embed_root(const std::filesystem::path& root);

/// Makes the root with its qemu.conf and what libvirt learnt of QEMU in earlier roots.
/// EnvironmentError when it is there already, and as check_embed_root.
void make_embed_root(const std::filesystem::path& root);

/// Keeps what libvirt has learnt of QEMU for later roots: asking QEMU takes it three seconds and
/// more. It checks by itself whether that still holds. Failure to keep it is no error.
void keep_capabilities(const std::filesystem::path& root);

/// Ends the guests that still live in the root and removes it; nothing to do when there is none.
///
/// Not by reopening it with libvirt: a process can have one embedded root only, and the one who
/// cleans up may be in the midst of its own run. Nor is libvirt needed: with this qemu.conf it
/// changes nothing outside the root but the lock files of open channels in /var/lock.
/// EnvironmentError when a guest can't be ended or the folder is not one of ours.
void remove_embed_root(const std::filesystem::path& root);

/// What QEMU said in libvirt's log of one domain, the last lines; empty when there is none.
std::string qemu_words(const std::filesystem::path& root, const std::string& name);

/// The last `count` lines.
std::string_view last_lines(std::string_view text, std::size_t count);

}  // namespace vmtax::guest
