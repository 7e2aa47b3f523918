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

const lastMilestoneKey = (personId: string | undefined) => `lastWrittenIn/${personId}`

/** Stores in this browser the milestone of a person's last entry. */
export function rememberMilestone(
  personId: string | undefined,
  { projectId, milestoneId }: MilestoneRef,
): void {
  store(lastMilestoneKey(personId), JSON.stringify({ projectId, milestoneId }))
}

/** Returns the milestone of a person's last entry, or null. */
export function lastMilestone(personId: string | undefined): MilestoneRef | null {
  try {
    return milestoneRef.parse(JSON.parse(read(lastMilestoneKey(personId)) ?? 'null'))
  } catch {
    // No milestone is stored, or it is invalid.
    return null
  }
}

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
