import { Spinner } from '#web/ui/feedback/loading.tsx'
import { useDelay } from './overlay.ts'

/** Says that something is being created, or what its creation waits for. */
export function SavingNote({ thing }: { thing: string }) {
  return <Spinner label={useDelay(thing) ?? 'Saving...'} />
}

/** Says what the change of something waits for, if that lasts. */
export function DelayNote({ thing }: { thing: string }) {
  const delay = useDelay(thing)
  return delay === undefined ? null : <Spinner label={delay} />
}
