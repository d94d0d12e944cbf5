#include "json.hpp"

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <limits>
#include <stdexcept>

namespace {

constexpr int deepest = 64;  // a message nests six levels; what goes deeper is an attack or an accident

class Reader {
  public:
    explicit Reader(const std::string& text) : text_(text) {}

    Json read() {
        Json value = one(0);
        if (peek() != '\0') fail("the end of the line");
        return value;
    }

  private:
    const std::string& text_;
    std::size_t place_ = 0;

    [[noreturn]] void fail(const std::string& wanted) const {
        throw std::invalid_argument("column " + std::to_string(place_ + 1) + ": expected " + wanted);
    }

    char peek() {
        const auto blank = [](char letter) { return letter == ' ' || letter == '\t' || letter == '\r'; };
        while (place_ < text_.size() && blank(text_[place_])) ++place_;
        return place_ < text_.size() ? text_[place_] : '\0';
    }

    void expect(char letter) {
        if (peek() != letter) fail(std::string("'") + letter + "'");
        ++place_;
    }

    bool word(const char* letters) {
        const std::string wanted = letters;
        if (text_.compare(place_, wanted.size(), wanted) != 0) return false;
        place_ += wanted.size();
        return true;
    }

    Json one(int depth) {
        if (depth > deepest) fail("fewer levels");
        Json value;
        switch (peek()) {
            case '{':
                value.kind = Json::object;
                ++place_;
                while (peek() != '}') {
                    if (!value.fields.empty()) expect(',');
                    const std::string name = string();
                    expect(':');
                    value.fields[name] = one(depth + 1);
                }
                ++place_;
                return value;
            case '[':
                value.kind = Json::array;
                ++place_;
                while (peek() != ']') {
                    if (!value.items.empty()) expect(',');
                    value.items.push_back(one(depth + 1));
                }
                ++place_;
                return value;
            case '"':
                value.kind = Json::string;
                value.text = string();
                return value;
            default:
                return plain();
        }
    }

    Json plain() {
        Json value;
        if (word("null")) return value;
        value.kind = Json::boolean;
        if (word("false")) return value;
        value.value = 1;
        if (word("true")) return value;
        value.kind = Json::number;
        char* end = nullptr;  // strtod reads the nearest double: nothing is lost
        value.value = std::strtod(text_.c_str() + place_, &end);
        if (end == text_.c_str() + place_) fail("a value");
        place_ = static_cast<std::size_t>(end - text_.c_str());
        return value;
    }

    unsigned hexadecimal() {
        if (place_ + 4 > text_.size()) fail("four hexadecimal digits");
        char* end = nullptr;
        const std::string digits = text_.substr(place_, 4);
        const unsigned code = static_cast<unsigned>(std::strtoul(digits.c_str(), &end, 16));
        if (end != digits.c_str() + 4) fail("four hexadecimal digits");
        place_ += 4;
        return code;
    }

    std::string escaped() {
        unsigned code = hexadecimal();
        if (code >= 0xD800 && code < 0xDC00 && word("\\u")) {  // the first half of a pair
            code = 0x10000 + ((code - 0xD800) << 10) + (hexadecimal() - 0xDC00);
        }
        const auto byte = [](unsigned bits) { return static_cast<char>(bits); };  // UTF-8
        const auto tail = [&](int shift) { return byte(0x80 | ((code >> shift) & 0x3F)); };
        if (code < 0x80) return {byte(code)};
        if (code < 0x800) return {byte(0xC0 | (code >> 6)), tail(0)};
        if (code < 0x10000) return {byte(0xE0 | (code >> 12)), tail(6), tail(0)};
        return {byte(0xF0 | (code >> 18)), tail(12), tail(6), tail(0)};
    }

    std::string string() {
        expect('"');
        std::string out;
        while (place_ < text_.size() && text_[place_] != '"') {
            if (text_[place_] != '\\') {
                out += text_[place_++];
                continue;
            }
            const char letter = ++place_ < text_.size() ? text_[place_] : '\0';
            ++place_;
            const std::string from = "bfnrt\"\\/", to = "\b\f\n\r\t\"\\/";
            if (letter == 'u') {
                out += escaped();
            } else if (const auto known = from.find(letter); known != std::string::npos) {
                out += to[known];
            } else {
                fail("an escape");
            }
        }
        expect('"');
        return out;
    }
};

}  // namespace

const Json& Json::at(const std::string& name) const {
    const auto found = fields.find(name);
    if (found == fields.end()) throw std::invalid_argument(name + " is missing");
    return found->second;
}

const Json& Json::at(const std::string& name, Kind of) const {
    static const char* const kinds[] = {"null", "true or false", "a number", "a string", "an array", "an object"};
    const Json& field = at(name);
    if (field.kind != of) throw std::invalid_argument(name + " must be " + kinds[of]);
    return field;
}

bool Json::holds(const std::string& name) const {
    const auto found = fields.find(name);
    return found != fields.end() && found->second.kind != null;
}

std::vector<double> Json::numbers() const {
    std::vector<double> out;
    for (const Json& item : items) {
        constexpr double infinity = std::numeric_limits<double>::infinity();
        if (item.kind == number) {
            out.push_back(item.value);
        } else if (item.text == "Infinity" || item.text == "-Infinity") {
            out.push_back(item.text[0] == '-' ? -infinity : infinity);
        } else if (item.text == "NaN") {
            out.push_back(std::nan(""));
        } else {
            throw std::invalid_argument("expected an array of numbers");
        }
    }
    return out;
}

Json read_json(const std::string& text) { return Reader(text).read(); }

std::string quoted(const std::string& text) {
    std::string out = "\"";
    for (const char letter : text) {
        if (letter == '"' || letter == '\\') out += '\\';
        if (static_cast<unsigned char>(letter) >= 0x20) {
            out += letter;
        } else {
            char code[8];
            std::snprintf(code, sizeof code, "\\u%04x", static_cast<unsigned>(letter));
            out += code;
        }
    }
    return out + '"';
}

std::string written(double value) {
    if (std::isnan(value)) return "\"NaN\"";
    if (std::isinf(value)) return value > 0 ? "\"Infinity\"" : "\"-Infinity\"";
    char text[32];
    std::snprintf(text, sizeof text, "%.17g", value);  // 17 digits read back as the same double
    return text;
}

std::string written(const std::vector<double>& values) {
    return list(values, [](double value) { return written(value); });
}
