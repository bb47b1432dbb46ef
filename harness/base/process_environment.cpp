// The parts of Boost.Process v2 that are compiled once when it is used header-only.
#include <boost/process/v2/impl/environment.ipp>
