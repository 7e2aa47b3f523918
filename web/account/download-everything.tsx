import { useIsMutating } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { request } from '#web/api/client.ts'
import { toastError } from '#web/api/failure-toast.ts'
import { saveAs } from '#web/export/save.ts'
import { useChange } from '#web/saving/use-change.ts'
import { Button } from '#web/ui/controls/button.tsx'

type DownloadEverythingProps = { quiet?: boolean; withHistory?: boolean; children: ReactNode }

const mutationKey = ['export']

/** Downloads all data of the person, as one archive that the browser saves. */
export function DownloadEverything({
  quiet = false,
  withHistory = false,
  children,
}: DownloadEverythingProps) {
  const { mutate } = useChange({
    mutationKey,
    mutationFn: () => request('prepareExport', { body: { history: withHistory } }),
    onSuccess: ({ url }) => saveAs(url),
    onError: (error) => toastError(error, 'Failed to prepare the download'),
    gcTime: 0,
  })

  return (
    <Button
      variant={quiet ? 'quiet' : 'secondary'}
      busy={useIsMutating({ mutationKey }) > 0}
      onClick={() => mutate()}
    >
      {children}
    </Button>
  )
}
