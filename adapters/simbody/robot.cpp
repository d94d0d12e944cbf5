#include "robot.hpp"

#include <map>

using SimTK::MobilizedBody;
using SimTK::Rotation;
using SimTK::SpatialVec;
using SimTK::Transform;
using SimTK::UnitVec3;
using SimTK::Vec3;
using SimTK::Vector;

namespace {

Vec3 vector(const Json& field) {
    const auto values = field.numbers();
    return {values.at(0), values.at(1), values.at(2)};
}

SimTK::Mat33 matrix(const Json& field) {
    SimTK::Mat33 out;
    for (int row = 0; row < 3; ++row) out[row] = ~vector(field.items.at(static_cast<std::size_t>(row)));
    return out;
}

// The numbers as they are: Simbody's own constructor would make the matrix orthogonal again, and round it.
Transform placement(const Json& holder, const std::string& prefix = "") {
    if (!holder.holds(prefix + "rotation")) return {};
    return {Rotation(matrix(holder.at(prefix + "rotation")), true), vector(holder.at(prefix + "translation"))};
}

std::string json(const Vec3& v) { return written(std::vector<double>{v[0], v[1], v[2]}); }

std::string json(const SimTK::Mat33& m) {
    return "[" + json(Vec3(~m[0])) + "," + json(Vec3(~m[1])) + "," + json(Vec3(~m[2])) + "]";
}

std::vector<double> flat(const Vector& values) {
    std::vector<double> out;
    for (int k = 0; k < values.size(); ++k) out.push_back(values[k]);
    return out;
}

std::string range(const std::vector<int>& offsets, int first) {
    return list(offsets, [first](int offset) { return std::to_string(first + offset); });
}

SimTK::Body body_of(const Json& link) {
    const double mass = link.at("mass").value;
    // An inertia that never moves counts for nothing, and Simbody wants none without a mass.
    if (mass == 0 && !link.holds("joint")) return SimTK::Body::Rigid(SimTK::MassProperties(0, Vec3(0), SimTK::Inertia(0)));
    const Vec3 com = vector(link.at("com"));
    const SimTK::Mat33 about_com = matrix(link.at("inertia"));
    const SimTK::Inertia central(about_com(0, 0), about_com(1, 1), about_com(2, 2),  // xx yy zz
                                 about_com(0, 1), about_com(0, 2), about_com(1, 2));  // xy xz yz
    // Simbody holds the inertia about the body's origin.
    return SimTK::Body::Rigid(SimTK::MassProperties(mass, com, central.shiftFromMassCenter(-com, mass)));
}

}  // namespace

SimbodyRobot::SimbodyRobot(const Json& source) : matter_(system_), forces_(system_) {
    gravity_ = std::make_unique<SimTK::Force::Gravity>(forces_, matter_, vector(source.at("gravity")));
    build(source.at("mechanism", Json::object));  // the program declares needs_mechanism
    state_ = system_.realizeTopology();
    system_.realizeModel(state_);
}

void SimbodyRobot::build(const Json& mechanism) {
    std::map<std::string, const Json*> above;  // the joint that carries a link
    for (const Json& joint : mechanism.at("joints").items) {
        const std::string& child = joint.at("child").text;
        if (above.count(child)) {
            throw Failure(unsupported, "several joints move link " + child, "several_joints_on_a_body");
        }
        above[child] = &joint;
    }
    std::map<std::string, MobilizedBody> done;
    const auto& links = mechanism.at("bodies").items;
    while (done.size() < links.size()) {  // parents first, else in the order of the file
        const std::size_t before = done.size();
        for (const Json& link : links) {
            const std::string& name = link.at("name").text;
            if (done.count(name)) continue;
            const Json* joint = above.count(name) ? above.at(name) : nullptr;
            const bool root = !joint || !joint->holds("parent");
            if (!root && !done.count(joint->at("parent").text)) continue;
            const MobilizedBody parent = root ? MobilizedBody(matter_.Ground()) : done.at(joint->at("parent").text);
            if (joint) {
                add(*joint, parent, body_of(link));
            } else {  // a root link that nothing carries is welded to the ground
                bodies_.push_back(MobilizedBody::Weld(matter_.updGround(), Transform(), body_of(link), Transform()));
            }
            links_.push_back(name);
            carriers_.push_back(link.holds("joint") ? quoted(link.at("joint").text) : "null");
            done.emplace(name, bodies_.back());
        }
        if (done.size() == before) throw Failure(failed, "a link hangs on nothing");
    }
}

void SimbodyRobot::add(const Json& joint, const MobilizedBody& parent, const SimTK::Body& body) {
    const std::string &kind = joint.at("kind").text, &name = joint.at("name").text;
    MobilizedBody on = parent;
    const Transform before = placement(joint), link = placement(joint, "child_");
    if (joint.holds("armature")) {
        for (const double rotor : joint.at("armature").numbers()) {
            if (rotor != 0) throw Failure(unsupported, "Simbody's bodies have no rotors", "armature");
        }
    }
    if (kind == "fixed") {
        bodies_.push_back(MobilizedBody::Weld(on, before, body, ~link));
    } else if (kind == "floating" && !joint.holds("parent")) {
        bodies_.push_back(MobilizedBody::Free(on, before, body, ~link));
        joints_.push_back({name, true, bodies_.back()});
    } else if (kind == "revolute" || kind == "continuous" || kind == "prismatic") {
        // A pin turns about its frame's z, a slider moves along its x: turn the frames on both sides.
        const bool slides = kind == "prismatic";
        const SimTK::CoordinateAxis own(slides ? 0 : 2);
        const Rotation turn(UnitVec3(vector(joint.at("axis"))), own);
        const double start = joint.holds("reference") ? joint.at("reference").value : 0;
        const Vec3 along = slides ? Vec3(-start, 0, 0) : Vec3(0);
        const Transform zero(slides ? Rotation() : Rotation(-start, SimTK::ZAxis), along);
        const Transform fixed = before * Transform(turn) * zero, moving = ~link * Transform(turn);
        if (slides) {
            bodies_.push_back(MobilizedBody::Slider(on, fixed, body, moving));
        } else {
            bodies_.push_back(MobilizedBody::Pin(on, fixed, body, moving));
        }
        joints_.push_back({name, false, bodies_.back()});
    } else {
        throw Failure(unsupported, "a joint of kind " + kind + " is not made here", "joint_kind");
    }
}

std::string SimbodyRobot::layout() const {
    const auto one = [&](const Joint& joint) {
        const int q = joint.body.getFirstQIndex(state_), v = joint.body.getFirstUIndex(state_);
        const std::string named = "{\"name\":" + quoted(joint.name);
        if (!joint.free) return named + ",\"q\":[" + std::to_string(q) + "],\"v\":[" + std::to_string(v) + "]}";
        // Quaternion w x y z, position; angular, then linear velocity, both in the ground's axes.
        return named + ",\"q\":" + range({4, 5, 6, 1, 2, 3, 0}, q) + ",\"v\":" + range({3, 4, 5, 0, 1, 2}, v) +
               ",\"form\":\"pose\",\"linear\":\"world\",\"angular\":\"world\"}";
    };
    return "{\"joints\":" + list(joints_, one) + ",\"links\":" + list(links_, quoted) +
           ",\"nq\":" + std::to_string(state_.getNQ()) + ",\"nv\":" + std::to_string(state_.getNU()) +
           ",\"jacobian_rows\":\"angular_linear\",\"notes\":[\"translated\"]}";
}

std::string SimbodyRobot::readback() const {
    std::string bodies;
    double total = 0;
    for (std::size_t k = 0; k < bodies_.size(); ++k) {
        const SimTK::MassProperties& held = bodies_[k].getBody().getDefaultRigidBodyMassProperties();
        total += held.getMass();
        bodies += (k ? "," : "") + ("{\"name\":" + quoted(links_[k])) + ",\"mass\":" + written(held.getMass()) +
                  ",\"com\":" + json(held.getMassCenter()) +
                  ",\"inertia\":" + json(held.calcCentralInertia().toMat33()) + ",\"joint\":" + carriers_[k] +
                  ",\"links\":[" + quoted(links_[k]) + "]}";
    }
    return "{\"bodies\":[" + bodies + "],\"total_mass\":" + written(total) + "}";
}

Vector SimbodyRobot::input(const Json& params, const char* name, std::size_t state, int size) const {
    const Json& rows = params.at(name, Json::array);
    if (state >= rows.items.size()) throw Failure(invalid, std::string(name) + " has fewer states than q");
    const auto values = rows.items[state].numbers();
    if (values.size() != static_cast<std::size_t>(size)) {
        throw Failure(invalid, std::string(name) + " must have " + std::to_string(size) + " numbers a state");
    }
    return Vector(size, values.data());
}

std::vector<std::size_t> SimbodyRobot::shape(const std::string& quantity) const {
    const auto nv = static_cast<std::size_t>(state_.getNU());
    if (quantity == "link_poses") return {links_.size(), 3, 4};
    if (quantity == "link_jacobians") return {links_.size(), 6, nv};
    if (quantity == "mass_matrix") return {nv, nv};
    if (quantity == "kinetic_energy" || quantity == "potential_energy") return {};
    return {nv};
}

// M a + C v - Jᵀ f, with the weights f or without.
Vector SimbodyRobot::torques(const Vector& acceleration, bool weight) const {
    SimTK::Vector_<SpatialVec> pull(matter_.getNumBodies(), SpatialVec(Vec3(0), Vec3(0)));
    if (weight) pull = gravity_->getBodyForces(state_);
    Vector out;
    matter_.calcResidualForceIgnoringConstraints(state_, Vector(), pull, acceleration, out);
    return out;
}

std::vector<double> SimbodyRobot::evaluate(const std::string& quantity, const Json& params, std::size_t state) {
    const int nv = state_.getNU();
    const bool moves = params.fields.count("v") > 0;
    state_.updQ() = input(params, "q", state, state_.getNQ());
    state_.updU() = moves ? input(params, "v", state, nv) : Vector(nv, 0.0);
    system_.realize(state_, SimTK::Stage::Dynamics);
    const Vector still(nv, 0.0);
    if (quantity == "link_poses") {
        std::vector<double> poses;
        for (const MobilizedBody& body : bodies_) {
            const Transform& X = body.getBodyTransform(state_);
            for (int row = 0; row < 3; ++row) {
                poses.insert(poses.end(), {X.R()[row][0], X.R()[row][1], X.R()[row][2], X.p()[row]});
            }
        }
        return poses;
    }
    if (quantity == "link_jacobians") {
        std::vector<double> rows;
        for (const MobilizedBody& body : bodies_) {
            SimTK::Matrix J;
            matter_.calcFrameJacobian(state_, body.getMobilizedBodyIndex(), Vec3(0), J);
            for (int row = 0; row < 6; ++row) {
                for (int column = 0; column < nv; ++column) rows.push_back(J(row, column));
            }
        }
        return rows;
    }
    if (quantity == "mass_matrix") {
        SimTK::Matrix M;
        matter_.calcM(state_, M);
        std::vector<double> rows;
        for (int row = 0; row < nv; ++row) {
            for (int column = 0; column < nv; ++column) rows.push_back(M(row, column));
        }
        return rows;
    }
    if (quantity == "kinetic_energy") return {system_.calcKineticEnergy(state_)};
    if (quantity == "potential_energy") return {system_.calcPotentialEnergy(state_)};
    if (quantity == "coriolis_force") return flat(torques(still, false));
    if (quantity == "bias_force" || quantity == "gravity_vector") return flat(torques(still, true));
    if (quantity == "inverse_dynamics") return flat(torques(input(params, "a", state, nv), true));
    if (quantity == "forward_dynamics") {
        Vector acceleration;
        SimTK::Vector_<SpatialVec> spatial;
        matter_.calcAccelerationIgnoringConstraints(state_, input(params, "tau", state, nv),
                                                    gravity_->getBodyForces(state_), acceleration, spatial);
        return flat(acceleration);
    }
    throw Failure(not_offered, "simbody does not offer " + quantity);
}
