// Simbody behind the wire protocol: the robot is built through its interface from the description that robodyn-check
// sends along, since Simbody has no reader of URDF or MJCF.

#include "robot.hpp"

namespace {

const std::vector<std::string> quantities = {
    "link_poses",       "link_jacobians",   "mass_matrix",    "coriolis_force",   "bias_force", "gravity_vector",
    "inverse_dynamics", "forward_dynamics", "kinetic_energy", "potential_energy",
};

std::string version() {
    int major = 0, minor = 0, build = 0;
    SimTK_version_simbody(&major, &minor, &build);
    return std::to_string(major) + '.' + std::to_string(minor) + '.' + std::to_string(build);
}

}  // namespace

int main() {
    const std::string who = "\"name\":\"simbody\",\"version\":" + quoted(version());
    const std::string where = ",\"homepage\":\"https://github.com/simbody/simbody\",\"formats\":[\"urdf\",\"mjcf\"]";
    const std::string what = ",\"cost\":20.0,\"needs_mechanism\":true,\"quantities\":" + list(quantities, quoted);
    return Server<SimbodyRobot>(who + where + what).serve();
}
