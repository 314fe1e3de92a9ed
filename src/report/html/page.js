(() => {
  "use strict";
  const root = document.documentElement;
  const box = document.getElementById("filter");
  const count = document.getElementById("count");
  const button = document.getElementById("theme");
  const nothing = document.getElementById("nothing");
  root.classList.add("js");

  // Dark or light: the system's, until the button says otherwise.
  const system = matchMedia("(prefers-color-scheme: dark)");
  const isDark = () => root.dataset.theme ? root.dataset.theme === "dark" : system.matches;
  const said = () => {
    button.textContent = isDark() ? "Light mode" : "Dark mode";
  };
  const kept = () => { try { return localStorage.getItem("tf-phi-theme"); } catch { return null; } };
  const keep = (theme) => { try { localStorage.setItem("tf-phi-theme", theme); } catch { /* Without storage it is forgotten. */ } };
  if (kept() === "dark" || kept() === "light") root.dataset.theme = kept();
  button.addEventListener("click", () => {
    root.dataset.theme = isDark() ? "light" : "dark";
    keep(root.dataset.theme);
    said();
  });
  system.addEventListener("change", said);
  said();

  // Rows with all the words that were typed; a row counts with the names of the groups that it stands in.
  const groups = [...document.querySelectorAll("[data-group]")];
  let rows;
  const read = () => [...document.querySelectorAll("[data-row]")].map((row) => {
    let text = row.textContent;
    for (let at = row.closest("[data-in]"); at; at = at.parentElement.closest("[data-in]")) text += ` ${at.dataset.in}`;
    return { row, text: text.toLowerCase() };
  });
  const opened = new Set();
  const show = (words) => {
    rows ??= read();
    let shown = 0;
    for (const { row, text } of rows) {
      const is = words.every((word) => text.includes(word));
      if (row.hidden === is) row.hidden = !is;
      if (is) shown += 1;
    }
    for (const group of groups) {
      const empty = words.length > 0 && !group.querySelector("[data-row]:not([hidden])");
      if (group.hidden !== empty) group.hidden = empty;
      if (group.tagName !== "DETAILS") continue;
      if (words.length > 0 && !empty && !group.open) {
        group.open = true;
        opened.add(group);
      } else if (words.length === 0 && opened.delete(group)) {
        group.open = false;
      }
    }
    count.textContent = words.length > 0 ? `${shown} of ${rows.length}` : "";
    nothing.hidden = !(words.length > 0 && shown === 0);
  };
  let waiting = 0;
  box.addEventListener("input", () => {
    cancelAnimationFrame(waiting);
    waiting = requestAnimationFrame(() => show(box.value.toLowerCase().split(/\s+/).filter(Boolean)));
  });

  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.key === "/" && !event.target.closest("input, textarea")) {
      event.preventDefault();
      box.focus();
      box.select();
    } else if (event.key === "Escape" && event.target === box) {
      event.preventDefault();
      if (box.value === "") {
        box.blur();
      } else {
        box.value = "";
        box.dispatchEvent(new Event("input"));
      }
    }
  });
})();
