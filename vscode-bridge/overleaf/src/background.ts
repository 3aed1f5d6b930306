/** The extension's worker: a project for each tab, and what the panel shows of it. Nobody else is listened to. */

import type { FromContent, FromPanel, ToPanel } from "./messages.js";
import { Project } from "./project.js";

const PROJECT = /^\/project\/([0-9a-f]{24})(?:\/|$)/i;
const projects = new Map<number, Project>();
const panels = new Map<chrome.runtime.Port, number>(); // and the tab that each looks at

// A script in a page must not read the token, even if the page has taken it over. Firefox has no such setting.
if ("setAccessLevel" in chrome.storage.local) {
  void chrome.storage.local.setAccessLevel({ accessLevel: "TRUSTED_CONTEXTS" });
}
if ("sidePanel" in chrome) {
  void chrome.sidePanel.setPanelBehavior({ openPanelOnActionClick: true });
} else {
  const { browser } = globalThis as unknown as { browser: { sidebarAction: { toggle(): void } } };
  chrome.action.onClicked.addListener(() => {
    browser.sidebarAction.toggle();
  });
}

chrome.runtime.onConnect.addListener((port) => {
  const { name, sender } = port;
  const tab = sender?.tab?.id;
  if (name === "page" && tab !== undefined && sender?.frameId === 0 && sender.url !== undefined) {
    attach(port, tab, new URL(sender.url));
  } else if (name === "panel" && sender?.url?.startsWith(chrome.runtime.getURL("panel.html")) === true) {
    serve(port);
  } else {
    port.disconnect();
  }
});

// Servers of the author's own: what the browser was told to allow is where the scripts run.
chrome.permissions.onAdded.addListener(() => void register());
chrome.permissions.onRemoved.addListener(() => void register());
chrome.runtime.onInstalled.addListener(() => void register());

function attach(port: chrome.runtime.Port, tab: number, address: URL): void {
  const id = PROJECT.exec(address.pathname)?.[1];
  if (id === undefined) {
    port.disconnect();
    return;
  }
  const project = new Project(
    address,
    id,
    (message) => {
      port.postMessage(message);
    },
    () => {
      if (projects.get(tab) === project) {
        show(tab);
      }
    },
  );
  projects.get(tab)?.close();
  projects.set(tab, project);
  port.onMessage.addListener((message: FromContent) => {
    project.hear(message);
  });
  port.onDisconnect.addListener(() => {
    project.close();
    if (projects.get(tab) === project) {
      projects.delete(tab);
      show(tab);
    }
  });
  show(tab);
}

function serve(port: chrome.runtime.Port): void {
  port.onMessage.addListener((message: FromPanel) => {
    void obey(port, message);
  });
  port.onDisconnect.addListener(() => {
    panels.delete(port);
  });
}

async function obey(port: chrome.runtime.Port, message: FromPanel): Promise<void> {
  if (message.kind === "look") {
    panels.set(port, message.tab);
    void projects.get(message.tab)?.companion.connect();
    show(message.tab);
    return;
  }
  const project = projects.get(panels.get(port) ?? -1);
  switch (message.kind) {
    case "pair":
      await project?.companion.connect(message.code);
      for (const other of projects.values()) {
        if (other !== project) {
          void other.companion.connect();
        }
      }
      break;
    case "connect":
      await project?.companion.connect();
      break;
    case "accept":
      project?.decide(true, message.without);
      break;
    case "revise":
      await project?.revise(message.without);
      break;
    case "discard":
      project?.decide(false);
      break;
    case "undo":
      await project?.undo();
      break;
    case "cancel":
      project?.cancel();
      break;
    case "dismiss":
      project?.dismiss();
      break;
    case "fixes": {
      const { number, path, line } = message;
      const fixes = (await project?.findings.fixes(path, line).catch(() => [])) ?? [];
      tell(port, { kind: "result", number, result: { fixes }, problem: "" });
      break;
    }
    case "entry":
      await project?.entry(message.arxiv, message.add);
      break;
    case "reveal":
      await project?.reveal(message.path, message.line);
      break;
    case "reply":
      project?.questions.reply(message.number, message);
      break;
    case "run": {
      const { number, command, argument, view } = message;
      try {
        const result = (await project?.run(command, argument, view)) ?? null;
        tell(port, { kind: "result", number, result, problem: "" });
      } catch (error) {
        tell(port, { kind: "result", number, result: null, problem: error instanceof Error ? error.message : String(error) });
      }
    }
  }
}

function show(tab: number): void {
  for (const [port, looked] of panels) {
    if (looked === tab) {
      tell(port, { kind: "state", state: projects.get(tab)?.state() ?? null });
    }
  }
}

function tell(port: chrome.runtime.Port, message: ToPanel): void {
  if (panels.has(port)) {
    port.postMessage(message);
  }
}

async function register(): Promise<void> {
  const { origins = [] } = await chrome.permissions.getAll();
  const { host_permissions: own = [], content_scripts: scripts = [] } = chrome.runtime.getManifest() as chrome.runtime.ManifestV3;
  const matches = origins.filter((origin) => !own.includes(origin)).map((origin) => origin.replace(/\/\*$/, "/project/*"));
  const known = await chrome.scripting.getRegisteredContentScripts();
  await chrome.scripting.unregisterContentScripts({ ids: known.map(({ id }) => id) });
  if (matches.length > 0) {
    await chrome.scripting.registerContentScripts(
      scripts.map(({ js, world }, index) => ({
        id: `own-${index}`,
        js: (js ?? []).map((file) => file.slice(file.lastIndexOf("/") + 1)), // Firefox gives their addresses
        matches,
        runAt: "document_start" as const,
        world: world ?? "ISOLATED",
      })),
    );
  }
}
