import { useEffect, useRef, useState } from 'react'

/** Focuses the first refused field of a form, and selects its text, like the Tab key. */
export function focusRefused(form: HTMLFormElement | null): void {
  const field = form?.querySelector<HTMLElement>('[aria-invalid="true"]')
  field?.focus()
  if (field instanceof HTMLInputElement) field.select()
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
