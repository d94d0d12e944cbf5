// One robot in RBDL: loaded by its own URDF reader, or built through its interface from a description.
#pragma once

#include <rbdl/Dynamics.h>
#include <rbdl/Kinematics.h>
#include <rbdl/Model.h>
#include <rbdl/rbdl_utils.h>

#include <memory>
#include <string>
#include <vector>

#include "serve.hpp"

class Robot {
  public:
    explicit Robot(const Json& source);  // the parameters of `load`

    std::string layout() const;    // as JSON
    std::string readback() const;  // as JSON
    // One quantity at one state, row by row.
    std::vector<double> evaluate(const std::string& quantity, const Json& params, std::size_t state);
    std::vector<std::size_t> shape(const std::string& quantity) const;

  private:
    struct Joint {
        std::string name, kind, child;
        unsigned body = 0;  // RBDL's number of what it moves
    };

    std::unique_ptr<RigidBodyDynamics::Model> model_;
    std::vector<Joint> joints_;
    std::vector<std::string> links_;
    std::vector<unsigned> bodies_;  // RBDL's number of each link
    RigidBodyDynamics::Math::Vector3d loaded_gravity_;

    bool read_urdf(const Json& source);
    void build(const Json& mechanism, bool floating);
    void weld(unsigned on, const RigidBodyDynamics::Math::SpatialTransform& where, const RigidBodyDynamics::Body& body,
              const std::string& name);
    unsigned carrier(unsigned body) const;  // the moving body, or the world, that a body belongs to
    void place_joints(const Json& mechanism);
    RigidBodyDynamics::Math::VectorNd input(const Json& params, const char* name, std::size_t state,
                                            unsigned size) const;
};
