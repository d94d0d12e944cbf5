// The wire protocol of PROTOCOL.md for one kind of robot: one JSON-RPC message a line, on the two descriptors that the
// variable ROBODYN_CHECK_FDS names, or on stdin and stdout.
#pragma once

#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

#include "json.hpp"

// What becomes an error message of the protocol, by its code.
struct Failure : std::runtime_error {
    int code;
    std::string feature;
    Failure(int number, const std::string& text, const std::string& limit = "")
        : std::runtime_error(text), code(number), feature(limit) {}
};

constexpr int unsupported = 2, refused = 3, not_offered = 4, failed = 5, invalid = -32602;

// Answers for robots of one library. ``facts``: what the answer to initialize says beside the protocol's number, as
// fields of a JSON object. Robot has a constructor from the parameters of load, layout(), readback(), shape(quantity)
// and evaluate(quantity, params, state), which returns one state's numbers row by row.
template <typename Robot>
class Server {
  public:
    explicit Server(std::string facts) : facts_(std::move(facts)) {}

    int serve() {
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

  private:
    std::string facts_;
    std::vector<std::unique_ptr<Robot>> robots_;

    std::string initialize(const Json& params) {
        if (params.at("protocol").value != 1) throw Failure(invalid, "this program speaks protocol 1");
        return "{\"protocol\":1,\"arrays\":\"nested\"," + facts_ + "}";
    }

    std::string load(const Json& params) {
        auto robot = std::make_unique<Robot>(params);
        const std::string layout = robot->layout();
        robots_.push_back(std::move(robot));
        return "{\"model\":" + std::to_string(robots_.size() - 1) + ",\"layout\":" + layout + "}";
    }

    Robot& robot(const Json& params) {
        const double number = params.at("model", Json::number).value;
        const bool loaded = number >= 0 && number < static_cast<double>(robots_.size());
        if (!loaded) throw Failure(invalid, "no such model was loaded");
        return *robots_[static_cast<std::size_t>(number)];
    }

    // Nest numbers that follow each other row by row.
    std::string nested(const std::vector<double>& values, const std::vector<std::size_t>& shape, std::size_t axis,
                       std::size_t& place) {
        if (axis == shape.size()) return written(values.at(place++));
        std::string out = "[";
        for (std::size_t k = 0; k < shape[axis]; ++k) out += (k ? "," : "") + nested(values, shape, axis + 1, place);
        return out + ']';
    }

    std::string evaluate(const Json& params) {
        Robot& asked = robot(params);
        const std::string& quantity = params.at("quantity", Json::string).text;
        const auto shape = asked.shape(quantity);
        std::string values;
        for (std::size_t state = 0; state < params.at("q", Json::array).items.size(); ++state) {
            std::size_t place = 0;
            values += (state ? "," : "") + nested(asked.evaluate(quantity, params, state), shape, 0, place);
        }
        return "{\"values\":[" + values + "]}";
    }

    std::string failure(int code, const std::exception& error) {
        const auto* known = dynamic_cast<const Failure*>(&error);
        std::string data;
        if (known && !known->feature.empty()) data = ",\"data\":{\"feature\":" + quoted(known->feature) + "}";
        const std::string number = std::to_string(known ? known->code : code);
        return "\"error\":{\"code\":" + number + ",\"message\":" + quoted(error.what()) + data + "}";
    }

    std::string answer(const std::string& line, bool& go_on) {
        std::string id = "null", body;
        int code = -32700;  // until the line is read: not JSON
        try {
            const Json message = read_json(line);
            code = -32600;
            const Json& given = message.at("id");
            id = given.kind == Json::string ? quoted(given.text) : written(given.value);
            const std::string& method = message.at("method", Json::string).text;
            static const Json none;
            const Json& params = message.fields.count("params") ? message.at("params", Json::object) : none;
            code = invalid;
            std::string result = "null";
            if (method == "initialize") {
                result = initialize(params);
            } else if (method == "load") {
                result = load(params);
            } else if (method == "readback") {
                result = robot(params).readback();
            } else if (method == "evaluate") {
                result = evaluate(params);
            } else if (method == "shutdown") {
                go_on = false;
            } else {
                throw Failure(-32601, "unknown method " + method);
            }
            body = "\"result\":" + result;
        } catch (const std::exception& error) {
            body = failure(code, error);
        }
        return "{\"jsonrpc\":\"2.0\",\"id\":" + id + "," + body + "}\n";
    }
};
