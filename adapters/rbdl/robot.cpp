#include "robot.hpp"

#include <urdfreader.h>

#include <iostream>
#include <limits>
#include <map>
#include <set>
#include <sstream>

namespace rbd = RigidBodyDynamics;
using rbd::Math::Matrix3d;
using rbd::Math::MatrixNd;
using rbd::Math::SpatialTransform;
using rbd::Math::SpatialVector;
using rbd::Math::Vector3d;
using rbd::Math::VectorNd;

namespace {

constexpr unsigned nowhere = std::numeric_limits<unsigned>::max();  // what GetBodyId returns for an unknown name

Vector3d vector(const Json& field) {
    const auto values = field.numbers();
    return {values.at(0), values.at(1), values.at(2)};
}

Matrix3d matrix(const Json& field) {
    Matrix3d out;
    for (int row = 0; row < 3; ++row) out.row(row) = vector(field.items.at(static_cast<std::size_t>(row))).transpose();
    return out;
}

SpatialTransform placement(const Json& holder, const std::string& prefix = "") {
    // RBDL keeps the rotation that takes coordinates from the parent to the child.
    return {matrix(holder.at(prefix + "rotation")).transpose(), vector(holder.at(prefix + "translation"))};
}

std::string json(const Vector3d& v) { return written(std::vector<double>{v[0], v[1], v[2]}); }

std::string json(const Matrix3d& m) {
    return "[" + json(Vector3d(m.row(0))) + "," + json(Vector3d(m.row(1))) + "," + json(Vector3d(m.row(2))) + "]";
}

std::string indices(const std::vector<unsigned>& values) {
    return list(values, [](unsigned value) { return std::to_string(value); });
}

std::vector<double> flat(const VectorNd& v) { return {v.data(), v.data() + v.size()}; }

// The smallest rotation that takes z to a unit axis, for -z half a turn about x; its columns are a planar joint's axes.
Matrix3d smallest_from_z(const Vector3d& axis) {
    const double x = axis[0], y = axis[1], z = axis[2], flat = x * x + y * y;
    if (z < 0 && flat == 0) return Matrix3d(1, 0, 0, 0, -1, 0, 0, 0, -1);
    // 1 / (1 + z) cancels where the axis is nearly -z; with x² + y² = (1 - z)(1 + z) nothing does.
    const double scale = z < 0 ? (1 - z) / flat : 1 / (1 + z);
    Matrix3d out;
    out << 1 - scale * x * x, -scale * x * y, x, -scale * x * y, 1 - scale * y * y, y, -x, -y, z;
    return out;
}

rbd::Joint joint_of(const std::string& kind, const Json& description) {
    const Vector3d axis = description.holds("axis") ? vector(description.at("axis")) : Vector3d(0, 0, 0);
    if (kind == "revolute" || kind == "continuous") return rbd::Joint(rbd::JointTypeRevolute, axis);
    if (kind == "prismatic") return rbd::Joint(rbd::JointTypePrismatic, axis);
    if (kind == "ball") return rbd::Joint(rbd::JointTypeSpherical);
    if (kind == "floating") return rbd::Joint(rbd::JointTypeFloatingBase);
    if (kind != "planar") throw Failure(failed, "a joint of kind " + kind + " is not known here");
    const Matrix3d plane = smallest_from_z(axis);
    SpatialVector x, y, turn;
    x << 0, 0, 0, plane.col(0);
    y << 0, 0, 0, plane.col(1);
    turn << axis, 0, 0, 0;
    return rbd::Joint(x, y, turn);
}

// A body whose frame stands somewhere in another one, in the axes of that one.
rbd::Body seen_from_outside(const rbd::Body& body, const SpatialTransform& where) {
    const Matrix3d turn = where.E.transpose(), inertia = turn * body.mInertia * where.E;
    const Vector3d com = turn * body.mCenterOfMass + where.r;
    return {body.mMass, com, inertia};
}

// Motion by -reference: q counts from there (MJCF ref).
SpatialTransform before_reference(const Json& joint) {
    if (!joint.holds("reference") || joint.at("reference").value == 0) return {};
    const double reference = joint.at("reference").value;
    const Vector3d axis = vector(joint.at("axis"));
    return joint.at("kind").text == "prismatic" ? rbd::Math::Xtrans(-reference * axis)
                                                : rbd::Math::Xrot(-reference, axis);
}

// What RBDL writes on std::cerr while this lives. It goes there as well: RBDL writes before it aborts.
class Words : private std::streambuf {
  public:
    Words() : before_(std::cerr.rdbuf(this)) {}
    ~Words() { std::cerr.rdbuf(before_); }
    Words(const Words&) = delete;
    Words& operator=(const Words&) = delete;
    const std::string& text() const { return text_; }

  private:
    int_type overflow(int_type letter) override {
        if (traits_type::eq_int_type(letter, traits_type::eof())) return traits_type::not_eof(letter);
        text_ += traits_type::to_char_type(letter);
        return before_->sputc(traits_type::to_char_type(letter));
    }

    std::string text_;
    std::streambuf* before_;
};

}  // namespace

Robot::Robot(const Json& source) : model_(std::make_unique<rbd::Model>()) {
    const Json& mechanism = source.at("mechanism", Json::object);  // the program declares needs_mechanism
    const Words words;
    try {
        if (source.at("profile").text == "canonical") {
            build(mechanism, source.at("base").text == "floating");
        } else if (!read_urdf(source)) {
            throw Failure(refused, "URDFReadFromFile returned false: " + words.text());
        }
    } catch (const Failure&) {
        throw;
    } catch (const std::exception& error) {
        throw Failure(refused, words.text() + error.what());
    }
    loaded_gravity_ = model_->gravity;
    model_->gravity = vector(source.at("gravity"));
    for (const Json& link : source.at("links").items) {
        const unsigned body = model_->GetBodyId(link.text.c_str());
        if (body == nowhere) continue;
        links_.push_back(link.text);
        bodies_.push_back(body);
    }
    place_joints(mechanism);
}

bool Robot::read_urdf(const Json& source) {
    for (const Json& joint : source.at("mechanism").at("joints").items) {
        if (joint.at("kind").text == "floating" && joint.at("name").text != "floating_base") {
            throw Failure(unsupported, "a floating joint inside the tree gets Euler angles", "floating_joint");
        }
    }
    const bool floating = source.at("base").text == "floating";
    return rbd::Addons::URDFReadFromFile(source.at("path").text.c_str(), model_.get(), floating);
}

void Robot::build(const Json& mechanism, bool floating) {
    std::map<std::string, rbd::Body> links;
    for (const Json& body : mechanism.at("bodies").items) {
        links[body.at("name").text] = {body.at("mass").value, vector(body.at("com")), matrix(body.at("inertia"))};
    }
    std::vector<const Json*> waiting;
    std::set<std::string> children;
    for (const Json& joint : mechanism.at("joints").items) {
        waiting.push_back(&joint);
        children.insert(joint.at("child").text);
    }
    for (const auto& [name, body] : links) {  // the root of a URDF with a fixed base is no joint's child
        if (!floating && !children.count(name)) weld(0, {}, body, name);
    }
    std::map<std::string, unsigned> last;  // the newest body that a joint of this link moves
    while (!waiting.empty()) {
        auto next = waiting.begin();
        const auto ready = [&](const Json& joint) {
            if (!joint.holds("parent")) return true;
            const std::string &parent = joint.at("parent").text, &child = joint.at("child").text;
            return parent == child ? last.count(child) > 0 : model_->GetBodyId(parent.c_str()) != nowhere;
        };
        while (next != waiting.end() && !ready(**next)) ++next;
        if (next == waiting.end()) {
            throw Failure(failed, "joint " + waiting.front()->at("name").text + " hangs on nothing");
        }
        const Json& joint = **next;
        const std::string &kind = joint.at("kind").text, &child = joint.at("child").text;
        const std::string parent = joint.holds("parent") ? joint.at("parent").text : "";
        const unsigned on = parent.empty() ? 0 : parent == child ? last.at(child) : model_->GetBodyId(parent.c_str());
        bool more = false;  // a further joint moves the same link
        for (const Json* other : waiting) {
            more = more || (other != &joint && other->at("child").text == child);
        }
        if (kind == "fixed") {
            weld(on, placement(joint), links.at(child), child);
        } else {
            for (const double armature : joint.at("armature").numbers()) {
                if (armature != 0) throw Failure(unsupported, "RBDL's bodies have no rotors", "armature");
            }
            const SpatialTransform frame = before_reference(joint) * placement(joint);
            // The moving body stands in the joint's frame and has the link's mass; the link's frame is welded to it.
            const std::string name = "joint/" + joint.at("name").text;
            const SpatialTransform below = placement(joint, "child_");
            const rbd::Body body = more ? rbd::Body() : seen_from_outside(links.at(child), below);
            const unsigned moving = last[child] = model_->AddBody(on, frame, joint_of(kind, joint), body, name);
            if (!more) weld(moving, below, {}, child);
        }
        waiting.erase(next);
    }
}

void Robot::weld(unsigned on, const SpatialTransform& where, const rbd::Body& body, const std::string& name) {
    // An inertia that never moves counts for nothing, and Body::Join aborts where neither body has a mass.
    const bool idle = carrier(on) == 0 && body.mMass == 0;
    model_->AddBody(on, where, rbd::JointTypeFixed, idle ? rbd::Body() : body, name);
}

unsigned Robot::carrier(unsigned body) const {
    if (!model_->IsFixedBodyId(body)) return body;
    return model_->mFixedBodies[body - model_->fixed_body_discriminator].mMovableParent;
}

void Robot::place_joints(const Json& mechanism) {
    for (const Json& description : mechanism.at("joints").items) {
        Joint joint;
        joint.name = description.at("name").text;
        joint.kind = description.at("kind").text;
        joint.child = description.at("child").text;
        if (joint.kind == "fixed") continue;
        joint.body = model_->GetBodyId(("joint/" + joint.name).c_str());
        if (joint.body == nowhere) joint.body = model_->GetBodyId(joint.child.c_str());
        // A joint that RBDL's reader made fixed is missing from the layout; the harness then names it.
        if (joint.body != nowhere && !model_->IsFixedBodyId(joint.body)) joints_.push_back(joint);
    }
}

std::string Robot::layout() const {
    const auto one = [&](const Joint& joint) {
        const unsigned first = model_->mJoints[joint.body].q_index;
        std::vector<unsigned> q{first}, v{first};
        std::string form = "angle", frames;
        if (joint.kind == "planar") {  // three joints in a row; q_index is the last one's
            q = v = {first - 2, first - 1, first};
            form = "x_y_angle";
        } else if (joint.kind == "ball") {
            v = {first, first + 1, first + 2};
            q = {first, first + 1, first + 2, model_->multdof3_w_index[joint.body]};
            form = "quaternion";
        } else if (joint.kind == "floating") {  // translations in the parent's frame, then a spherical joint
            v = {first - 3, first - 2, first - 1, first, first + 1, first + 2};
            q = v;
            q.push_back(model_->multdof3_w_index[joint.body]);
            form = "pose";
            frames = ",\"linear\":\"world\",\"angular\":\"body\"";
        }
        const std::string places = ",\"q\":" + indices(q) + ",\"v\":" + indices(v);
        return "{\"name\":" + quoted(joint.name) + places + ",\"form\":\"" + form + "\"" + frames + "}";
    };
    return "{\"joints\":" + list(joints_, one) + ",\"links\":" + list(links_, quoted) +
           ",\"nq\":" + std::to_string(model_->q_size) + ",\"nv\":" + std::to_string(model_->qdot_size) +
           ",\"jacobian_rows\":\"angular_linear\"}";
}

std::string Robot::readback() const {
    std::string bodies;
    double total = 0;
    for (unsigned number = 0; number < model_->mBodies.size(); ++number) {
        const rbd::Body& body = model_->mBodies[number];
        total += body.mMass;
        std::string joint = "null", name = "world";
        for (const Joint& one : joints_) {
            if (one.body == number) joint = quoted(name = one.name);
        }
        std::vector<std::string> held;
        for (std::size_t k = 0; k < links_.size(); ++k) {
            if (carrier(bodies_[k]) == number) held.push_back(links_[k]);
        }
        if (body.mIsVirtual || (joint == "null" && body.mMass == 0)) continue;
        bodies += (bodies.empty() ? "" : ",") + ("{\"name\":" + quoted(name)) + ",\"mass\":" + written(body.mMass) +
                  ",\"com\":" + json(body.mCenterOfMass) + ",\"inertia\":" + json(body.mInertia) +
                  ",\"joint\":" + joint + ",\"links\":" + list(held, quoted) + "}";
    }
    const auto one = [](const Joint& joint) {
        const std::string what = ",\"kind\":" + quoted(joint.kind) + ",\"child\":" + quoted(joint.child);
        return "{\"name\":" + quoted(joint.name) + what + "}";
    };
    return "{\"bodies\":[" + bodies + "],\"joints\":" + list(joints_, one) + ",\"gravity\":" + json(loaded_gravity_) +
           ",\"total_mass\":" + written(total) + "}";
}

VectorNd Robot::input(const Json& params, const char* name, std::size_t state, unsigned size) const {
    const Json& rows = params.at(name, Json::array);
    if (state >= rows.items.size()) throw Failure(invalid, std::string(name) + " has fewer states than q");
    const auto values = rows.items[state].numbers();
    if (values.size() != size) {
        throw Failure(invalid, std::string(name) + " must have " + std::to_string(size) + " numbers a state");
    }
    return Eigen::Map<const Eigen::VectorXd>(values.data(), size);
}

std::vector<std::size_t> Robot::shape(const std::string& quantity) const {
    const std::size_t nv = model_->qdot_size;
    if (quantity == "link_poses") return {links_.size(), 3, 4};
    if (quantity == "link_jacobians") return {links_.size(), 6, nv};
    if (quantity == "mass_matrix") return {nv, nv};
    if (quantity == "kinetic_energy" || quantity == "potential_energy") return {};
    return {nv};
}

std::vector<double> Robot::evaluate(const std::string& quantity, const Json& params, std::size_t state) {
    const unsigned nv = model_->qdot_size;
    const VectorNd q = input(params, "q", state, model_->q_size);
    const auto v = [&] { return input(params, "v", state, nv); };
    VectorNd out = VectorNd::Zero(nv);
    if (quantity == "link_poses") {
        std::vector<double> poses;
        rbd::UpdateKinematicsCustom(*model_, &q, nullptr, nullptr);
        for (const unsigned body : bodies_) {
            const Matrix3d R = rbd::CalcBodyWorldOrientation(*model_, q, body, false).transpose();
            const Vector3d p = rbd::CalcBodyToBaseCoordinates(*model_, q, body, Vector3d::Zero(), false);
            for (int row = 0; row < 3; ++row) poses.insert(poses.end(), {R(row, 0), R(row, 1), R(row, 2), p[row]});
        }
        return poses;
    }
    if (quantity == "link_jacobians") {
        std::vector<double> rows;
        rbd::UpdateKinematicsCustom(*model_, &q, nullptr, nullptr);
        for (const unsigned body : bodies_) {
            MatrixNd J = MatrixNd::Zero(6, nv);
            rbd::CalcPointJacobian6D(*model_, q, body, Vector3d::Zero(), J, false);
            for (int row = 0; row < 6; ++row) {
                for (unsigned column = 0; column < nv; ++column) rows.push_back(J(row, column));
            }
        }
        return rows;
    }
    if (quantity == "mass_matrix") {
        MatrixNd M = MatrixNd::Zero(nv, nv);
        rbd::CompositeRigidBodyAlgorithm(*model_, q, M);
        M.transposeInPlace();  // stored by columns
        return {M.data(), M.data() + M.size()};
    }
    if (quantity == "kinetic_energy") return {rbd::Utils::CalcKineticEnergy(*model_, q, v())};
    if (quantity == "potential_energy") return {rbd::Utils::CalcPotentialEnergy(*model_, q)};
    if (quantity == "bias_force") {
        rbd::NonlinearEffects(*model_, q, v(), out);
    } else if (quantity == "coriolis_force") {
        const Vector3d gravity = model_->gravity;
        model_->gravity = Vector3d::Zero();
        rbd::NonlinearEffects(*model_, q, v(), out);
        model_->gravity = gravity;
    } else if (quantity == "gravity_vector") {
        rbd::NonlinearEffects(*model_, q, VectorNd::Zero(nv), out);
    } else if (quantity == "inverse_dynamics") {
        rbd::InverseDynamics(*model_, q, v(), input(params, "a", state, nv), out);
    } else if (quantity == "forward_dynamics") {
        rbd::ForwardDynamics(*model_, q, v(), input(params, "tau", state, nv), out);
    } else {
        throw Failure(not_offered, "rbdl does not offer " + quantity);
    }
    return flat(out);
}
