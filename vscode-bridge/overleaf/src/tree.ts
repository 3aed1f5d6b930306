/** Files of the project by the page's own file tree: where the open document is, and how another one is opened. */

const TREE = '[role="tree"]';
const APPEARING = 5_000; // ms

/** The path of a document by its id; undefined if the tree does not show it. */
export function pathOf(id: string): string | undefined {
  const inner = document.querySelector(`[data-file-id="${CSS.escape(id)}"]`);
  const names: string[] = [];
  let item = inner?.closest<HTMLElement>("li") ?? null;
  while (item !== null) {
    names.unshift(item.getAttribute("aria-label") ?? "");
    const list: Element | null = item.closest(TREE);
    const above: Element | null = list?.previousElementSibling ?? null;
    item = above instanceof HTMLElement && above.matches("li[aria-expanded]") ? above : null;
  }
  return names.length > 0 && names.every((name) => name !== "" && !name.includes("/")) ? names.join("/") : undefined;
}

/** Choose a file in the tree, as a click does; folders on the way are unfolded. Throws an Error if it is not there. */
export async function choose(path: string): Promise<void> {
  const names = path.split("/");
  for (let depth = 1; depth <= names.length; depth += 1) {
    // Looked for from the root each time: the page draws its tree anew.
    const item = await appearing(() => itemAt(names.slice(0, depth), depth === names.length));
    if (item === undefined) {
      throw new Error(`${path} is not in the page's file tree`);
    }
    if (depth === names.length) {
      item.click();
    } else if (item.getAttribute("aria-expanded") !== "true") {
      (item.querySelector("button") ?? item).click();
    }
  }
}

/** The id of a folder that the tree shows; null for the project's root. Throws an Error if it is not there. */
export function folderOf(path: string): string | null {
  const folder = path.includes("/") ? path.slice(0, path.lastIndexOf("/")) : "";
  if (folder === "") {
    return null;
  }
  const shown = [...document.querySelectorAll<HTMLElement>('[data-file-type="folder"]')];
  const id = shown.map((each) => each.dataset["fileId"] ?? "").find((each) => pathOf(each) === folder);
  if (id === undefined) {
    throw new Error(`the folder ${folder} is not shown in the page's file tree`);
  }
  return id;
}

/** The id of a document that the tree shows. Throws an Error if it is not there. */
export function idOf(path: string): string {
  const shown = [...document.querySelectorAll<HTMLElement>('[data-file-type="doc"]')];
  const id = shown.map((each) => each.dataset["fileId"] ?? "").find((each) => pathOf(each) === path);
  if (id === undefined) {
    throw new Error(`${path} is not shown in the page's file tree`);
  }
  return id;
}

function itemAt(names: readonly string[], isFile: boolean): HTMLElement | undefined {
  let list = document.querySelector(TREE);
  let item: HTMLElement | undefined;
  for (const [depth, name] of names.entries()) {
    const isLast = depth === names.length - 1;
    const here = list;
    item = [...(here?.querySelectorAll<HTMLElement>('li[role="treeitem"]') ?? [])].find(
      (each) =>
        each.closest(TREE) === here &&
        each.getAttribute("aria-label") === name &&
        each.hasAttribute("aria-expanded") !== (isLast && isFile),
    );
    const next = item?.nextElementSibling;
    list = next?.matches(TREE) === true ? next : null;
  }
  return item;
}

/** What is there now, or comes to be soon. */
function appearing<T>(look: () => T | undefined): Promise<T | undefined> {
  return new Promise((resolve) => {
    const end = (value: T | undefined): void => {
      observer.disconnect();
      clearTimeout(late);
      resolve(value);
    };
    const observer = new MutationObserver(() => {
      const there = look();
      if (there !== undefined) {
        end(there);
      }
    });
    const late = setTimeout(() => {
      end(undefined);
    }, APPEARING);
    observer.observe(document.documentElement, { childList: true, subtree: true, attributes: true });
    const there = look();
    if (there !== undefined) {
      end(there);
    }
  });
}
