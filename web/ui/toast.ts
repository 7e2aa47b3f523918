/** A button in a toast; pressing it also dismisses the toast. */
export type ToastAction = { label: string; run: () => void }

export type Toast = {
  id: number
  tone: 'success' | 'danger' | 'info'
  text: string
  action?: ToastAction | undefined
}

const MAX_SHOWN = 3
const NONE: readonly Toast[] = []

let toasts = NONE
let lastId = 0
const listeners = new Set<() => void>()

function replace(next: readonly Toast[]) {
  toasts = next
  for (const listener of listeners) listener()
}

function add(tone: Toast['tone'], text: string, action?: ToastAction) {
  lastId += 1
  const older = toasts.filter((toast) => toast.text !== text)
  replace([...older, { id: lastId, tone, text, action }].slice(-MAX_SHOWN))
}

/** Shows a short message for a few seconds. */
export const toast = {
  success: (text: string, action?: ToastAction) => add('success', text, action),
  error: (text: string) => add('danger', text),
  info: (text: string, action?: ToastAction) => add('info', text, action),
}

export function dismiss(id: number) {
  replace(toasts.filter((toast) => toast.id !== id))
}

/** The toasts as an external store for React; always empty on the server. */
export const toastStore = {
  subscribe: (listener: () => void) => {
    listeners.add(listener)
    return () => listeners.delete(listener)
  },
  read: () => toasts,
  readOnServer: () => NONE,
}
