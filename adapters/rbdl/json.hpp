// Just enough JSON to read one message and to write its answer.
#pragma once

#include <map>
#include <string>
#include <vector>

struct Json {
    enum Kind { null, boolean, number, string, array, object } kind = null;
    double value = 0;
    std::string text;
    std::vector<Json> items;
    std::map<std::string, Json> fields;

    const Json& at(const std::string& name) const;         // throws std::invalid_argument when it is not there
    const Json& at(const std::string& name, Kind of) const;  // the same, also when it is of another kind
    bool holds(const std::string& name) const;             // there, and not null
    std::vector<double> numbers() const;                   // of an array; "NaN" and the infinities are spelled
};

Json read_json(const std::string& text);  // throws std::invalid_argument, with the place

std::string quoted(const std::string& text);
std::string written(double value);
std::string written(const std::vector<double>& values);

template <typename Items, typename Write>
std::string list(const Items& items, Write write) {
    std::string out = "[";
    for (const auto& item : items) {
        if (out.size() > 1) out += ',';
        out += write(item);
    }
    return out + ']';
}
