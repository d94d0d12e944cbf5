// RBDL behind the wire protocol.
//
// By default RBDL's own URDF reader loads the file. Profile canonical builds the same robot through RBDL's interface
// from the description that robodyn-check sends along, for files that the reader refuses.

#include <rbdl/rbdl.h>

#include "robot.hpp"

namespace {

const std::vector<std::string> quantities = {
    "link_poses",       "link_jacobians",   "mass_matrix",    "coriolis_force",   "bias_force", "gravity_vector",
    "inverse_dynamics", "forward_dynamics", "kinetic_energy", "potential_energy",
};

std::string version() {
    const int number = rbdl_get_api_version();
    const auto part = [number](int shift) { return std::to_string((number >> shift) & 255); };
    return part(16) + '.' + part(8) + '.' + part(0);
}

}  // namespace

int main() {
    const std::string who = "\"name\":\"rbdl\",\"version\":" + quoted(version());
    const std::string where = ",\"homepage\":\"https://github.com/rbdl/rbdl\",\"formats\":[\"urdf\"],\"cost\":10.0";
    const std::string what = ",\"needs_mechanism\":true,\"quantities\":" + list(quantities, quoted);
    return Server<Robot>(who + where + what).serve();
}
