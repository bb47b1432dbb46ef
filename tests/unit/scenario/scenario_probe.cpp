// For schema_agrees.py: prints the JSON Schema, or for each file "ok" or the loader's message.
#include <iostream>
#include <string_view>

#include "base/errors.hpp"
#include "scenario/scenario.hpp"

int main(int argc, char** argv) {
  if (argc == 2 && std::string_view{argv[1]} == "--schema") {
    std::cout << vmtax::scenario::json_schema();
    return 0;
  }
  for (int i = 1; i < argc; ++i) {
    try {
      vmtax::scenario::load(argv[i]);
      std::cout << "ok\n";
    } catch (const vmtax::ScenarioError& error) {
      std::cout << error.what() << "\n";
    }
  }
}
