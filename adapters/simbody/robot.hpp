// One robot in Simbody: a mobilized body for each link, whose frame is the link's.
#pragma once

#include <Simbody.h>

#include <memory>
#include <string>
#include <vector>

#include "serve.hpp"

class SimbodyRobot {
  public:
    explicit SimbodyRobot(const Json& source);  // the parameters of `load`

    std::string layout() const;    // as JSON
    std::string readback() const;  // as JSON
    std::vector<double> evaluate(const std::string& quantity, const Json& params, std::size_t state);  // row by row
    std::vector<std::size_t> shape(const std::string& quantity) const;

  private:
    struct Joint {
        std::string name;
        bool free;
        SimTK::MobilizedBody body;
    };

    SimTK::MultibodySystem system_;
    SimTK::SimbodyMatterSubsystem matter_;
    SimTK::GeneralForceSubsystem forces_;
    std::unique_ptr<SimTK::Force::Gravity> gravity_;
    SimTK::State state_;
    std::vector<Joint> joints_;
    std::vector<std::string> links_;
    std::vector<std::string> carriers_;  // the joint that moves each link, as JSON
    std::vector<SimTK::MobilizedBody> bodies_;  // of each link

    void build(const Json& mechanism);
    void add(const Json& joint, const SimTK::MobilizedBody& parent, const SimTK::Body& body);
    SimTK::Vector input(const Json& params, const char* name, std::size_t state, int size) const;
    SimTK::Vector torques(const SimTK::Vector& acceleration, bool weight) const;
};
