// The filter of the findings. Its state is the URL's hash, so a link shows what its sender saw:
// #show=FAIL,ERROR&library=drake&find=elbow&at=finding-1-3
"use strict";
(() => {
  const forms = [...document.querySelectorAll("form.filter")];
  const groups = [...document.querySelectorAll(".group")].map((node) => ({
    node,
    kind: node.dataset.kind,
    library: node.dataset.library,
    title: node.querySelector("h4").textContent.toLowerCase(),
    findings: [...node.querySelectorAll(".finding")].map((item) => ({ item, text: null })),
  }));
  const kinds = [...new Set(groups.map((group) => group.kind))];
  let state = { show: null, library: "", find: "", at: "" };

  function read() {
    const plain = location.hash.slice(1);
    if (plain && document.getElementById(plain)) return { ...state, at: plain };
    const given = new URLSearchParams(plain);
    const show = given.has("show") ? given.get("show").split(",") : null;
    return { show, library: given.get("library") ?? "", find: given.get("find") ?? "", at: given.get("at") ?? "" };
  }

  function address() {
    const parts = new URLSearchParams();
    if (state.show) parts.set("show", state.show.join(","));
    for (const name of ["library", "find", "at"]) if (state[name]) parts.set(name, state[name]);
    const hash = parts.toString();
    return hash ? "#" + hash : location.pathname + location.search;
  }

  function apply() {
    const word = state.find.toLowerCase();
    let shown = 0, all = 0;
    for (const group of groups) {
      const fits = (!state.show || state.show.includes(group.kind))
        && (!state.library || group.library === state.library);
      const whole = !word || group.title.includes(word);
      let here = 0;
      for (const finding of group.findings) {
        if (fits && !whole) finding.text ??= finding.item.textContent.toLowerCase();
        const visible = fits && (whole || finding.text.includes(word));
        if (finding.item.hidden === visible) finding.item.hidden = !visible;
        here += visible;
      }
      group.node.hidden = here === 0;
      shown += here;
      all += group.findings.length;
    }
    for (const form of forms) {
      for (const box of form.elements.show.length === undefined ? [form.elements.show] : form.elements.show)
        box.checked = !state.show || state.show.includes(box.value);
      form.elements.library.value = state.library;
      if (form.elements.find.value !== state.find) form.elements.find.value = state.find;
      form.querySelector("output").textContent = `${shown} of ${all} findings shown`;
    }
  }

  function go() {
    document.querySelector(".here")?.classList.remove("here");
    const target = state.at && document.getElementById(state.at);
    if (!target) return;
    if (target.hidden || target.closest("[hidden]")) {
      state = { show: null, library: "", find: "", at: state.at };
      history.replaceState(null, "", address());
      apply();
    }
    target.classList.add("here");
    target.scrollIntoView({ block: "start" });
    target.focus({ preventScroll: true });
  }

  function follow() {
    state = read();
    history.replaceState(null, "", address());
    apply();
    go();
  }

  for (const form of forms) {
    form.hidden = false;
    form.addEventListener("submit", (event) => event.preventDefault());
    form.addEventListener("input", () => {
      const values = new FormData(form);
      const ticked = values.getAll("show");
      const untouched = kinds.filter((kind) => ![...form.elements].some((box) => box.value === kind));
      const show = [...ticked, ...untouched];
      state = {
        show: show.length === kinds.length ? null : show,
        library: values.get("library"), find: values.get("find"), at: "",
      };
      history.replaceState(null, "", address());
      apply();
    });
  }
  addEventListener("hashchange", follow);
  follow();
})();
