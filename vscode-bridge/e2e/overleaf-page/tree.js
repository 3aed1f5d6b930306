/** Overleaf's file tree. `docs` are {id, path}, `show` gets the one that is clicked. Returns what draws it anew. */
export function fileTree(docs, show) {
  const expanded = new Set();
  const list = (above) => {
    const ul = document.createElement("ul");
    ul.setAttribute("role", "tree");
    const inside = document.createElement("div");
    ul.append(inside);
    const here = docs.filter(({ path }) => path.startsWith(above)).map((doc) => [doc, doc.path.slice(above.length).split("/")]);
    for (const name of new Set(here.filter(([, names]) => names.length > 1).map(([, names]) => names[0]))) {
      const path = `${above}${name}/`;
      const toggle = () => {
        expanded[expanded.has(path) ? "delete" : "add"](path);
        draw();
      };
      inside.append(item(name, `folder ${path}`, "folder", toggle, expanded.has(path)));
      if (expanded.has(path)) {
        inside.append(list(path));
      }
    }
    for (const [doc, names] of here) {
      if (names.length === 1) {
        inside.append(item(names[0], doc.id, "doc", () => show(doc)));
      }
    }
    return ul;
  };
  const draw = () => document.querySelector("#files").replaceChildren(list(""));
  draw();
  return draw;
}

function item(name, id, type, click, expanded) {
  const li = document.createElement("li");
  li.setAttribute("role", "treeitem");
  li.setAttribute("aria-label", name);
  if (expanded !== undefined) {
    li.setAttribute("aria-expanded", String(expanded));
  }
  li.innerHTML = '<div class="entity" role="presentation"></div>';
  Object.assign(li.firstChild.dataset, { fileId: id, fileType: type });
  const inner = document.createElement(type === "folder" ? "button" : "span");
  inner.textContent = name;
  li.firstChild.append(inner);
  (type === "folder" ? inner : li).addEventListener("click", click);
  return li;
}
