import { queryOptions, useQuery } from '@tanstack/react-query'
import { useEffect } from 'react'
import { PRESENCE_SECONDS } from '#contract/presence.ts'
import { exchange } from '#web/api/client.ts'
import { editorsKey } from '#web/entries/keys.ts'
import { Avatar } from '#web/ui/layout/avatar.tsx'

type EntryRef = { milestoneId: string; entryId: string }

/** The presence of an entry. The request also reports that this person has the entry open, so it is sent periodically. */
const editorsQuery = (params: EntryRef) =>
  queryOptions({
    queryKey: editorsKey(params.entryId),
    queryFn: ({ signal }) => exchange('keepEditing', { params }, { signal }),
    refetchInterval: PRESENCE_SECONDS * 1000,
    staleTime: 0,
    gcTime: 0,
    retry: false,
  })

/** The maximum number of people shown. */
const AVATARS = 3

/** Shows who else has the entry open in the composer. There is no lock: concurrent changes are merged. */
export function OtherEditors({ milestoneId, entryId }: EntryRef) {
  const { data } = useQuery(editorsQuery({ milestoneId, entryId }))
  const editors = data?.editors ?? []

  useEffect(() => {
    const end = () =>
      void exchange('endEditing', { params: { milestoneId, entryId } }, { keepalive: true }).catch(
        () => undefined, // it expires
      )
    addEventListener('pagehide', end)
    return () => {
      removeEventListener('pagehide', end)
      end()
    }
  }, [milestoneId, entryId])

  return (
    <output className="truncate text-sm text-muted not-empty:rounded-sm max-sm:absolute max-sm:top-full max-sm:left-3 max-sm:max-w-1/2 max-sm:bg-raised max-sm:px-2 max-lg:text-xs sm:max-lg:line-clamp-2 sm:max-lg:whitespace-normal">
      {editors.slice(0, AVATARS).map(({ name, pictureURL }, index) => (
        <Avatar
          key={index}
          name={name}
          pictureURL={pictureURL}
          className="-my-1 me-1 size-5 text-[0.65rem]"
        />
      ))}
      {sentenceOf(editors.map(({ name }) => name))}
    </output>
  )
}

/** Returns the names of the other editors; nothing if there are none. */
export function sentenceOf(names: readonly string[]): string {
  const [first, second, ...more] = names
  if (first === undefined) return ''
  if (second === undefined) return `${first} is editing too`
  if (more.length === 0) return `${first} and ${second} are editing too`
  return `${first} and ${names.length - 1} others are editing too`
}
