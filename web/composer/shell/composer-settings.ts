import { useState } from 'react'
import { z } from 'zod'
import { readStored, store } from '#web/api/browser-storage.ts'

const PLAIN_KEY = 'plainEditor'

/** Whether this browser uses a plain text area. */
export function usePlainEditor(): [isPlain: boolean, setPlain: (isPlain: boolean) => void] {
  const [isPlain, setPlain] = useState(() => readStored(PLAIN_KEY) === 'on')
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
