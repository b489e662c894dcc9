// The HTTP API as the page uses it. Every failure is an `ApiError` with a sentence in the page's language.
import { language, t } from "./words";

/** What the axes of a tensor are called, and whether True in it means that a query may see a key. */
export interface Axes {
  axes: string[];
  mask: boolean;
}
/** Where and by how much a result differs: see `judge/grading/contrast.py`. */
export interface Contrast extends Axes {
  caption: string;
  wrong: number;
  total: number;
  tolerance: number;
  largest: number | string | null;
  at: number[] | null;
  shape: number[];
  dtype: string;
  from: number[];
  /** got - expected; null where right. */
  values: unknown;
  /** Of a large matrix the share of wrong elements in each block of rows x columns. */
  blocks: { rows: number; columns: number; values: number[][] } | null;
}
export type Contrasts = Contrast | (Contrasts | null)[];
/** An expected value, the learner's, and how they differ (null: they cannot be subtracted). */
export interface Compared {
  expected: unknown;
  got: unknown;
  contrast?: Contrasts | null;
}
/** A call with values that the learner chose: see `judge/own_input.py`. */
export interface OwnInput {
  call?: string | null;
  arguments: Record<string, unknown>;
  init?: unknown[];
  seed?: number;
  weights?: Record<string, unknown>;
}
/** One comparison of a sample case. */
export interface Picture extends Compared {
  of: string;
  call?: string | null;
  names: string[];
  inputs: unknown[];
  axes?: Record<string, Axes>;
}
/** The stages of attention and who reads whom: see `judge/feedback/inside.py`. */
export interface Inside {
  axes: string[];
  stages: { name: string; value: unknown }[];
  reads: (Compared & { caption: string; leaks: number }) | null;
}
/** A small input on which a wrong answer shows: see `Smallest` in `judge/model.py`. */
export interface Smallest extends Compared {
  call: string;
  input?: OwnInput | null;
  inside?: Inside | null;
  inputs: Record<string, unknown>;
  axes?: Record<string, Axes>;
  message: string;
  circumstances: string[];
  code: string;
}
export interface Case {
  name: string;
  title: string;
  sample: boolean;
  verdict: string | null;
  time_ms: number;
  message: string;
  finding: Record<string, unknown> | null;
  stdout: string;
  stderr: string;
  traceback: string;
  tensors: Picture[] | null;
}
export interface Submission {
  id: number;
  problem: string;
  status: "queued" | "running" | "done" | "cancelled";
  ahead: number;
  eta_s: number | null;
  case_count: number;
  created_at: number;
  finished_at: number | null;
  diagnosing: boolean;
  outdated: boolean;
  verdict: string | null;
  message: string;
  finding: Record<string, unknown> | null;
  cases: Case[];
  time_ms: number | null;
  memory_kb: number | null;
  sandbox: string;
  diagnosis: string | null;
  smallest: Smallest | null;
  source_sha256: string;
  samples_only: boolean;
  input: OwnInput | null;
}
/** A row of the list of submissions. */
export interface Summary {
  id: number;
  status: Submission["status"];
  verdict: string | null;
  samples_only: boolean;
  created_at: number;
  time_ms: number | null;
}
/** Why a text was saved; see `DraftReason` in `judge/store/values.py`. */
export type Reason = "typed" | "reset" | "restored" | "uploaded";
/** A text that the draft once had. */
export interface Version {
  id: number;
  saved_at: number;
  bytes: number;
  reason: Reason | "conflict" | "merged";
}
export interface Draft {
  text: string;
  etag: string;
  saved_at: number;
}

export class ApiError extends Error {
  /** `status` 0: no answer at all. */
  constructor(
    readonly status: number,
    readonly code: string,
    message: string,
    readonly body: Record<string, unknown> = {},
  ) {
    super(message);
  }
}

const TIMEOUT_MS = 10_000;
/** A submission is answered with its verdict if it has one by then, else with its place in the queue. */
const FIRST_WAIT_S = 0.3;
let csrf = document.querySelector<HTMLMetaElement>("meta[name=csrf]")?.content ?? "";
/** For whom the page was made: its late saves must not reach the work of another who signs in here. */
const account = (): string => document.querySelector<HTMLMetaElement>("meta[name=account]")?.content ?? "";

interface Call {
  method?: string;
  body?: unknown;
  headers?: Record<string, string>;
  timeoutMs?: number;
  keepalive?: boolean;
}

export async function call<T>(path: string, options: Call = {}, again = true): Promise<T> {
  const url = new URL(path, location.origin);
  url.searchParams.set("lang", language());
  const unsafe = options.method !== undefined;
  let response: Response;
  try {
    response = await fetch(url, {
      method: options.method ?? "GET",
      headers: {
        ...(unsafe ? { "X-CSRFToken": csrf, "X-Account": account(), "Content-Type": "application/json" } : {}),
        ...options.headers,
      },
      body: options.body === undefined ? null : JSON.stringify(options.body),
      keepalive: options.keepalive ?? false,
      signal: AbortSignal.timeout(options.timeoutMs ?? TIMEOUT_MS),
    });
  } catch {
    throw new ApiError(0, "network", t("error.network"));
  }
  const text = await response.text().catch(() => {
    throw new ApiError(0, "network", t("error.network"));
  });
  if (response.ok) return JSON.parse(text) as T;
  let problem: Record<string, unknown> = {};
  try {
    problem = JSON.parse(text) as Record<string, unknown>;
  } catch {
    // a proxy's own error page
  }
  if (problem["code"] === "csrf" && again) {
    // the cookie was lost or the server's key is new: take a new token, once
    await (renewal ??= renew());
    return call<T>(path, options, false);
  }
  const detail = typeof problem["detail"] === "string" ? problem["detail"] : t("error.500");
  throw new ApiError(response.status, String(problem["code"] ?? "unknown"), detail, problem);
}

/** One for all requests that were refused together: each would start a session of its own, and only the last one holds. */
let renewal: Promise<void> | null = null;

async function renew(): Promise<void> {
  try {
    csrf = (await call<{ csrf: string }>("/api/v1/session", {}, false)).csrf;
  } finally {
    renewal = null;
  }
}

export const submit = (body: { problem: string; source: string; samples_only: boolean; client_id: string; input?: OwnInput | null }): Promise<Submission> =>
  call<Submission>(`/api/v1/submissions?wait=${FIRST_WAIT_S}`, { method: "POST", body });

export const submission = (id: number, waitS = 0): Promise<Submission> =>
  call<Submission>(`/api/v1/submissions/${id}${waitS ? `?wait=${waitS}` : ""}`, { timeoutMs: waitS * 1000 + TIMEOUT_MS });

export const cancel = (id: number): Promise<Submission> => call<Submission>(`/api/v1/submissions/${id}`, { method: "DELETE" });

export const submissions = async (slug: string): Promise<Summary[]> =>
  (await call<{ submissions: Summary[] }>(`/api/v1/submissions?problem=${slug}`)).submissions;

export const versions = async (slug: string): Promise<Version[]> => (await call<{ versions: Version[] }>(`/api/v1/drafts/${slug}/versions`)).versions;

export const reveal = (slug: string): Promise<unknown> => call(`/api/v1/reveals/${slug}`, { method: "POST" });

export function saveDraft(slug: string, text: string, etag: string | null, reason: Reason, keepalive: boolean): Promise<Draft> {
  const headers: Record<string, string> = etag ? { "If-Match": `"${etag}"` } : {};
  return call<Draft>(`/api/v1/drafts/${slug}`, { method: "PUT", body: { text, reason }, headers, keepalive });
}
