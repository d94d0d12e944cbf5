// A complete adapter in C++17 without any dependency: models/cart_pole, in closed form, as in template.py.
//
//   g++ -std=c++17 -O2 -o template template.cpp
//   robodyn-check robot.urdf --adapter ./template
//
// It speaks the protocol of PROTOCOL.md: one JSON-RPC message a line, on the two descriptors named in ROBODYN_CHECK_FDS,
// or on stdin and stdout where that variable is not set. Replace `Robot` by your library; the rest may stay.

#include <unistd.h>

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <map>
#include <stdexcept>
#include <string>
#include <vector>

// ---------------------------------------------------------------- the library: replace this

struct Robot {
    static constexpr double cart = 2.0, pole = 0.3, length = 0.5, inertia = 0.005;  // kg, kg, m, kg m²
    double gx = 0, gz = -9.81;  // m/s², in any direction

    using Vector = std::vector<double>;

    Vector mass_matrix(const Vector& q) const {  // row by row
        const double coupling = pole * length * std::cos(q[1]);
        return {cart + pole, coupling, coupling, pole * length * length + inertia};
    }
    Vector bias_force(const Vector& q, const Vector& v) const {  // C v + g, on the left-hand side: M a + bias = tau
        return {-pole * length * std::sin(q[1]) * v[1] * v[1] - (cart + pole) * gx,
                -pole * length * (gx * std::cos(q[1]) + gz * std::sin(q[1]))};
    }
    Vector inverse_dynamics(const Vector& q, const Vector& v, const Vector& a) const {
        const Vector M = mass_matrix(q), h = bias_force(q, v);
        return {M[0] * a[0] + M[1] * a[1] + h[0], M[2] * a[0] + M[3] * a[1] + h[1]};
    }
};

// ---------------------------------------------------------------- just enough JSON

struct Json {
    enum Kind { null, boolean, number, string, array, object } kind = null;
    double value = 0;
    std::string text;
    std::vector<Json> items;
    std::map<std::string, Json> fields;

    const Json& at(const std::string& name) const {
        const auto found = fields.find(name);
        if (found == fields.end()) throw std::invalid_argument(name + " is missing");
        return found->second;
    }
};

class Reader {
  public:
    explicit Reader(const std::string& text) : text_(text) {}

    Json read() {
        const Json value = one();
        if (peek() != '\0') throw std::invalid_argument("more than one value on the line");
        return value;
    }

  private:
    char peek() {
        while (place_ < text_.size() && std::string(" \t\r\n").find(text_[place_]) != std::string::npos) ++place_;
        return place_ < text_.size() ? text_[place_] : '\0';
    }
    void expect(char letter) {
        if (peek() != letter) throw std::invalid_argument(std::string("expected ") + letter);
        ++place_;
    }
    Json one() {
        Json value;
        const char letter = peek();
        if (letter == '{') {
            value.kind = Json::object;
            for (++place_; peek() != '}';) {
                const std::string name = string();
                expect(':');
                value.fields[name] = one();
                if (peek() != '}') expect(',');
            }
            ++place_;
        } else if (letter == '[') {
            value.kind = Json::array;
            for (++place_; peek() != ']';) {
                value.items.push_back(one());
                if (peek() != ']') expect(',');
            }
            ++place_;
        } else if (letter == '"') {
            value.kind = Json::string;
            value.text = string();
        } else if (text_.compare(place_, 4, "null") == 0) {
            place_ += 4;
        } else if (text_.compare(place_, 4, "true") == 0) {
            value.kind = Json::boolean, value.value = 1, place_ += 4;
        } else if (text_.compare(place_, 5, "false") == 0) {
            value.kind = Json::boolean, place_ += 5;
        } else {
            char* end = nullptr;  // strtod reads the nearest double: nothing is lost
            value.kind = Json::number;
            value.value = std::strtod(text_.c_str() + place_, &end);
            if (end == text_.c_str() + place_) throw std::invalid_argument("expected a value");
            place_ = static_cast<std::size_t>(end - text_.c_str());
        }
        return value;
    }
    std::string string() {
        expect('"');
        std::string out;
        while (place_ < text_.size() && text_[place_] != '"') {
            if (text_[place_] != '\\') {
                out += text_[place_++];
                continue;
            }
            const char escaped = place_ + 1 < text_.size() ? text_[place_ + 1] : '\0';
            place_ += 2;
            if (escaped == 'u') {  // kept as it is written: names are only handed back
                out += "\\u" + text_.substr(place_, 4);
                place_ += 4;
            } else {
                const std::string from = "bfnrt\"\\/", to = "\b\f\n\r\t\"\\/";
                out += from.find(escaped) == std::string::npos ? escaped : to[from.find(escaped)];
            }
        }
        expect('"');
        return out;
    }

    const std::string& text_;
    std::size_t place_ = 0;
};

std::string quoted(const std::string& text) {
    std::string out = "\"";
    for (const char letter : text) {
        if (letter == '"' || (letter == '\\' && text.find("\\u") == std::string::npos)) out += '\\';
        if (static_cast<unsigned char>(letter) >= 0x20) out += letter;
    }
    return out + '"';
}

std::string number(double value) {
    if (std::isnan(value)) return "\"NaN\"";
    if (std::isinf(value)) return value > 0 ? "\"Infinity\"" : "\"-Infinity\"";
    char text[32];
    std::snprintf(text, sizeof text, "%.17g", value);  // 17 digits: the same double on the other side
    return text;
}

// ---------------------------------------------------------------- the protocol

struct Failure : std::runtime_error {  // an error answer: 1 missing, 2 unsupported, 3 refused, 4 not_offered, 5 error
    int code;
    Failure(int code, const std::string& words) : std::runtime_error(words), code(code) {}
};

std::vector<Robot> robots;  // one for each load: another gravity is another model in the same process

std::string initialize() {
    // "nested" arrays only: plain JSON numbers, no base64
    return R"({"protocol":1,"name":"template-cpp","version":"1.0","arrays":"nested",)"
           R"("quantities":["mass_matrix","bias_force","inverse_dynamics"],"formats":["urdf"]})";
}

std::string load(const Json& params) {
    const auto& joints = params.at("joints").items;
    if (joints.size() != 2 || joints[0].text != "slider" || joints[1].text != "hinge") {
        throw Failure(2, "this one robot only");
    }
    Robot robot;
    robot.gx = params.at("gravity").items.at(0).value;
    robot.gz = params.at("gravity").items.at(2).value;
    robots.push_back(robot);
    std::string layout;
    for (std::size_t k = 0; k < 2; ++k) {
        const std::string index = std::to_string(k);
        layout += (k ? "," : "") + ("{\"name\":" + quoted(joints[k].text)) + ",\"q\":[" + index + "],\"v\":[" + index + "]}";
    }
    return "{\"model\":" + std::to_string(robots.size() - 1) + ",\"layout\":{\"joints\":[" + layout +
           "],\"links\":[],\"nq\":2,\"nv\":2}}";
}

Robot::Vector row(const Json& params, const char* name, std::size_t state) {
    Robot::Vector out;
    for (const Json& entry : params.at(name).items.at(state).items) {
        out.push_back(entry.kind == Json::string ? std::nan("") : entry.value);
    }
    if (out.size() != 2) throw Failure(-32602, std::string(name) + " must have two numbers a state");
    return out;
}

std::string evaluate(const Json& params) {
    const Robot& robot = robots.at(static_cast<std::size_t>(params.at("model").value));
    const std::string quantity = params.at("quantity").text;
    std::string values;
    for (std::size_t state = 0; state < params.at("q").items.size(); ++state) {
        const auto q = row(params, "q", state);
        Robot::Vector value;
        if (quantity == "mass_matrix") {
            value = robot.mass_matrix(q);
        } else if (quantity == "bias_force") {
            value = robot.bias_force(q, row(params, "v", state));
        } else if (quantity == "inverse_dynamics") {
            value = robot.inverse_dynamics(q, row(params, "v", state), row(params, "a", state));
        } else {
            throw Failure(4, "template-cpp does not offer " + quantity);
        }
        if (state) values += ',';
        if (value.size() == 4) {  // a matrix is an array of rows
            values += "[[" + number(value[0]) + ',' + number(value[1]) + "],[" + number(value[2]) + ',' +
                      number(value[3]) + "]]";
        } else {
            values += '[' + number(value[0]) + ',' + number(value[1]) + ']';
        }
    }
    return "{\"values\":[" + values + "]}";
}

std::string answer(const std::string& line, bool& go_on) {
    std::string id = "null";
    try {
        const Json message = Reader(line).read();
        const Json& given = message.at("id");
        id = given.kind == Json::string ? quoted(given.text) : number(given.value);
        const std::string method = message.at("method").text;
        std::string result = "null";
        if (method == "initialize") {
            result = initialize();
        } else if (method == "load") {
            result = load(message.at("params"));
        } else if (method == "evaluate") {
            result = evaluate(message.at("params"));
        } else if (method == "shutdown") {
            go_on = false;
        } else if (method != "readback") {  // readback: null, this library does not show what it holds
            throw Failure(-32601, "unknown method " + method);
        }
        return "{\"jsonrpc\":\"2.0\",\"id\":" + id + ",\"result\":" + result + "}\n";
    } catch (const std::exception& error) {
        const auto* failure = dynamic_cast<const Failure*>(&error);
        const int code = failure ? failure->code : (id == "null" ? -32700 : -32602);
        return "{\"jsonrpc\":\"2.0\",\"id\":" + id + ",\"error\":{\"code\":" + std::to_string(code) +
               ",\"message\":" + quoted(error.what()) + "}}\n";
    }
}

int main() {
    int in = 0, out = 1;
    if (const char* descriptors = std::getenv("ROBODYN_CHECK_FDS")) {
        if (std::sscanf(descriptors, "%d,%d", &in, &out) != 2) return 2;
    }
    FILE* requests = fdopen(in, "r");
    FILE* answers = fdopen(out, "w");
    if (!requests || !answers) return 2;
    bool go_on = true;
    std::string line;
    for (int letter; go_on && (letter = std::fgetc(requests)) != EOF;) {
        if (letter != '\n') {
            line += static_cast<char>(letter);
            continue;
        }
        const std::string reply = answer(line, go_on);
        std::fwrite(reply.data(), 1, reply.size(), answers);
        std::fflush(answers);
        line.clear();
    }
    return 0;
}
