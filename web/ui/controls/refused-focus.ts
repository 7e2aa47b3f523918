import { useEffect, useRef, useState } from 'react'

/** Focuses the first refused field of a form. */
export function focusRefused(form: HTMLFormElement | null): void {
  form?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus()
}

/** Returns the ref of a form, and a function that focuses its first refused field once the errors have been rendered. */
export function useRefusedFocus() {
  const form = useRef<HTMLFormElement>(null)
  const [submissions, setSubmissions] = useState(0)

  useEffect(() => {
    if (submissions > 0) focusRefused(form.current)
  }, [submissions])

  return { form, focusOnceRendered: () => setSubmissions((count) => count + 1) }
}
