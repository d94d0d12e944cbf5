#!/usr/bin/env node
// The two links of models/planar_2r in closed form, for robodyn-check: written from adapters/PROTOCOL.md alone.
//
//   robodyn-check conform ./two_links.mjs models/planar_2r/model.urdf
//
// It reads stdin and writes stdout, which PROTOCOL.md allows to programs that do not take descriptors.

import * as readline from "node:readline";

const ALPHA = 3.0; // m1 c1² + I1 + m2 l1², kg m²
const BETA = 0.1875; // m2 c2² + I2, kg m²
const GAMMA = 0.5; // m2 l1 c2, kg m²
const FIRST = 3.5; // m1 c1 + m2 l1, kg m
const SECOND = 0.5; // m2 c2, kg m

class Refusal extends Error {
  constructor(code, message, data) {
    super(message);
    this.code = code;
    this.data = data;
  }
}

const quantities = {
  mass_matrix: {
    inputs: ["q"],
    value: (_, { q }) => {
      const coupling = BETA + GAMMA * Math.cos(q[1]);
      return [[ALPHA + BETA + 2 * GAMMA * Math.cos(q[1]), coupling], [coupling, BETA]];
    },
  },
  coriolis_matrix: {
    inputs: ["q", "v"],
    value: (_, { q, v }) => {
      const s = GAMMA * Math.sin(q[1]);
      return [[-s * v[1], -s * (v[0] + v[1])], [s * v[0], 0 * s]];
    },
  },
  gravity_vector: {
    inputs: ["q"],
    value: ({ gravity }, { q }) => {
      const along = (angle) => gravity[0] * Math.sin(angle) - gravity[2] * Math.cos(angle);
      const far = SECOND * along(q[0] + q[1]);
      return [FIRST * along(q[0]) + far, far];
    },
  },
  inverse_dynamics: {
    inputs: ["q", "v", "a"],
    value: (model, state) => {
      const [M, C] = ["mass_matrix", "coriolis_matrix"].map((name) => quantities[name].value(model, state));
      const gravity = quantities.gravity_vector.value(model, state);
      const row = (A, x, k) => A[k][0] * x[0] + A[k][1] * x[1];
      return [0, 1].map((k) => row(M, state.a, k) + row(C, state.v, k) + gravity[k]);
    },
  },
};

const models = [];

const spelled = (x) =>
  Array.isArray(x) ? x.map(spelled) : Number.isFinite(x) ? x : Number.isNaN(x) ? "NaN" : x > 0 ? "Infinity" : "-Infinity";

function rows(params, name) {
  const array = params[name];
  if (!Array.isArray(array)) throw new Refusal(-32602, `evaluate.${name} is missing, or is no array of rows`);
  return array.map((row) => {
    if (!Array.isArray(row) || row.length !== 2) throw new Refusal(-32602, `evaluate.${name} needs rows of 2 numbers`);
    return row.map(Number); // "NaN", "Infinity" and "-Infinity" are spelled as JavaScript spells them
  });
}

const methods = {
  initialize: () => ({
    protocol: 1,
    name: "two-links-node",
    version: process.versions.node,
    arrays: "nested",
    quantities: Object.keys(quantities),
    formats: ["urdf"],
    coriolis: "christoffel",
    limits: { model: "models/planar_2r only" },
  }),
  load: ({ joints, gravity }) => {
    if (String(joints) !== "shoulder,elbow") {
      throw new Refusal(2, "models/planar_2r only", { feature: "model" });
    }
    models.push({ gravity });
    const layout = joints.map((name, k) => ({ name, q: [k], v: [k] }));
    return { model: models.length - 1, layout: { joints: layout, links: [], nq: 2, nv: 2 } };
  },
  readback: () => null,
  evaluate: (params) => {
    const model = models[params.model];
    if (!model) throw new Refusal(-32602, `model ${params.model} was not loaded`);
    const asked = quantities[params.quantity];
    if (!asked) throw new Refusal(4, `two-links-node does not offer ${params.quantity}`);
    const inputs = Object.fromEntries(asked.inputs.map((name) => [name, rows(params, name)]));
    const count = inputs.q.length;
    if (Object.values(inputs).some((array) => array.length !== count)) {
      throw new Refusal(-32602, "the inputs have unequal numbers of rows");
    }
    const state = (k) => Object.fromEntries(Object.entries(inputs).map(([name, array]) => [name, array[k]]));
    return { values: spelled(Array.from({ length: count }, (_, k) => asked.value(model, state(k)))) };
  },
  shutdown: () => null,
};

function answer(line) {
  let message;
  try {
    message = JSON.parse(line);
  } catch (error) {
    return { id: null, error: { code: -32700, message: String(error.message) } };
  }
  const id = message?.id ?? null;
  if (id === null || typeof message.method !== "string") {
    return { id, error: { code: -32600, message: "a request has an id and a method" } };
  }
  const method = Object.hasOwn(methods, message.method) ? methods[message.method] : null;
  if (!method) return { id, error: { code: -32601, message: `unknown method ${message.method}` } };
  try {
    return { id, result: method(message.params ?? {}) };
  } catch (error) {
    return { id, error: { code: error.code ?? 5, message: error.message, data: error.data } };
  }
}

const input = readline.createInterface({ input: process.stdin, crlfDelay: Infinity });
for await (const line of input) {
  const reply = JSON.stringify({ jsonrpc: "2.0", ...answer(line) });
  await new Promise((written) => process.stdout.write(`${reply}\n`, written));
  if (line.includes('"shutdown"') && JSON.parse(line).method === "shutdown") process.exit(0);
}
