import { useState } from 'react'
import { z } from 'zod'

const PLAIN_KEY = 'plainEditor'

/** Whether this browser uses a plain text area. */
export function usePlainEditor(): [isPlain: boolean, setPlain: (isPlain: boolean) => void] {
  const [isPlain, setPlain] = useState(() => read(PLAIN_KEY) === 'on')
  return [
    isPlain,
    (next) => {
      store(PLAIN_KEY, next ? 'on' : 'off')
      setPlain(next)
    },
  ]
}

export const milestoneRef = z.object({ projectId: z.string(), milestoneId: z.string() })

/** A milestone to write in. */
export type MilestoneRef = z.infer<typeof milestoneRef>

function read(key: string): string | null {
  try {
    return localStorage.getItem(key)
  } catch {
    // The browser forbids storage.
    return null
  }
}

function store(key: string, value: string): void {
  try {
    localStorage.setItem(key, value)
  } catch {
    // The browser forbids storage: the person is asked again the next time.
  }
}
