import { createContext, data, type RouterContextProvider } from 'react-router'
import type { CallAnswer, CallInput } from '#contract/call.ts'
import type { CallName, Calls } from '#contract/calls.ts'

/** Answers a call of the API in process, as a visitor; throws an error with `code` and `status` when refused. */
export type Answer = <N extends CallName>(
  name: N,
  input: CallInput<Calls[N]>,
) => Promise<CallAnswer<Calls[N]>>

/** The server's way to answer calls, given to the loaders of public screens. */
export const answerContext = createContext<Answer>()

/**
 * Answers a call for a loader. A refusal becomes a route error of its status, which the screen's own
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
    const refusal = refusalOf(error)
    if (!refusal) throw error
    throw data({ code: refusal.code, message: refusal.message }, { status: refusal.status })
  }
}

function refusalOf(error: unknown): { code: string; message: string; status: number } | null {
  if (!(error instanceof Error) || !('status' in error) || !('code' in error)) return null
  const { code, message, status } = error
  return typeof status === 'number' && status !== 500 && typeof code === 'string'
    ? { code, message, status }
    : null
}
