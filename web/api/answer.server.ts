import { createContext, data, type RouterContextProvider } from 'react-router'
import type { CallAnswer, CallInput } from '#contract/call.ts'
import type { CallName, Calls } from '#contract/calls.ts'
import type { Answer } from '#contract/rendering.ts'

/** Runs calls inside the server process, for the loaders of public screens. */
export const answerContext = createContext<Answer>()

/**
 * Runs a call for a loader, as a visitor. A refusal becomes a route error of its status, which the screen's own
 * ErrorBoundary (or the shell's) shows; any other error stays what it is and is logged.
 */
export async function answerVisitor<N extends CallName>(
  context: Readonly<RouterContextProvider>,
  name: N,
  input: CallInput<Calls[N]>,
): Promise<CallAnswer<Calls[N]>> {
  try {
    return await context.get(answerContext)(name, input)
  } catch (error) {
    throw routeErrorOf(error)
  }
}

/** Returns what a loader throws for the error of a call. */
export function routeErrorOf(error: unknown): unknown {
  const refusal = refusalOf(error)
  return refusal ? data({ code: refusal.code, message: refusal.message }, { status: refusal.status }) : error
}

/** Returns the code, message and status of a refusal, or null for an unexpected error. */
export function refusalOf(error: unknown): { code: string; message: string; status: number } | null {
  if (!(error instanceof Error) || !('status' in error) || !('code' in error)) return null
  const { code, message, status } = error
  return typeof status === 'number' && status !== 500 && typeof code === 'string'
    ? { code, message, status }
    : null
}
