import { use, useState, useSyncExternalStore } from 'react'
import { dayIn } from '#contract/parts/date-formats.ts'
import { serverAhead, serverNow } from '#web/api/server-clock.ts'
import type { EntryFiles } from '#web/composer/attachments/entry-files.ts'
import { useStoredFiles, useWrittenItems } from '#web/composer/attachments/files-in-text.tsx'
import { Button } from '#web/ui/controls/button.tsx'
import { dateFormatter } from '#web/ui/layout/date-formatter.ts'
import { zoneOf } from '#web/ui/layout/days.ts'
import { DateContext } from '#web/ui/layout/time.tsx'
import type { Composer } from './use-composer.ts'

/** Clocks that differ less are right: around midnight each may show another day for a moment. */
const TOLERATED_MINUTES = 5

/** Returns today by the server's clock if a device's clock is off by so much that it has another day; else null. */
export function otherToday(
  zone: string,
  ahead: number,
  here = new Date(),
  there = serverNow(),
): string | null {
  const day = dayIn(zone, there)
  return Math.abs(ahead) > TOLERATED_MINUTES && day !== dayIn(zone, here) ? day : null
}

type ServerDayProps = {
  /** The current day of the entry. */
  day: string
  onUse: (day: string) => void
}

/** Offers the server's day for a new entry that would be dated by a wrong clock of this device. */
export function ServerDay({ day, onUse }: ServerDayProps) {
  const choice = use(DateContext)
  const ahead = useSyncExternalStore(serverAhead.subscribe, serverAhead.read, serverAhead.readOnServer)
  const zone = zoneOf(choice)
  const [todayHere] = useState(() => dayIn(zone, new Date()))
  const today = otherToday(zone, ahead)
  if (today === null || day !== todayHere) return null
  return (
    <output className="-mt-3 flex flex-wrap items-center gap-x-2 gap-y-1 text-sm text-muted">
      The clock of this device has another day than the server’s.
      <Button size="sm" onClick={() => onUse(today)}>
        Use {dateFormatter('day', choice).format(new Date(today))}
      </Button>
    </output>
  )
}

type PictureDateProps = { composer: Composer; files: EntryFiles }

/** Offers the day of the first dated picture in the text, if the entry has another day. */
export function PictureDate({ composer: { entry, dateAndState }, files }: PictureDateProps) {
  const { control, formState } = entry.form
  const ids = useWrittenItems(control).map(({ id }) => id)
  const choice = use(DateContext)
  const stored = useStoredFiles(files, ids)
  const taken = useSyncExternalStore(files.queue.subscribe, () =>
    ids
      .map((id) => (files.queue.find(id)?.file ?? stored.get(id))?.takenAt)
      .find((takenAt) => takenAt !== undefined),
  )
  const dayTaken = taken?.slice(0, 10)
  if (dayTaken === undefined || dayTaken === dateAndState.day || formState.isSubmitting) return null
  return (
    <div className="-mt-3 flex flex-wrap items-center gap-x-2 gap-y-1 text-sm text-muted">
      The picture was taken on another day.
      <Button size="sm" onClick={() => dateAndState.setDay(dayTaken)}>
        Use {dateFormatter('day', choice).format(new Date(dayTaken))}
      </Button>
    </div>
  )
}
