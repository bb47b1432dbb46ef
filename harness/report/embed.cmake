# cmake -DINPUT=file -DNAME=function -DOUTPUT=file.cpp -P embed.cmake
# Writes a C++ file whose function vmtax::report::assets::NAME returns the bytes of INPUT.
file(READ ${INPUT} bytes HEX)
string(REPEAT "[0-9a-f]" 32 sixteen_bytes)
string(REGEX REPLACE "(${sixteen_bytes})" "\\1\n" bytes "${bytes}")
string(REGEX REPLACE "([0-9a-f][0-9a-f])" "0x\\1," bytes "${bytes}")
file(WRITE ${OUTPUT} "#include \"report/assets.hpp\"

namespace vmtax::report::assets {

std::string_view ${NAME}() {
  static constexpr unsigned char bytes[] = {
${bytes}
  };
  return {reinterpret_cast<const char*>(bytes), sizeof bytes};
}

}  // namespace vmtax::report::assets
")
