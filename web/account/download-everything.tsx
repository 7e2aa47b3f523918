import { useIsMutating, useMutation, useQueryClient } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { request } from '#web/api/client.ts'
import { toastError } from '#web/api/failure-toast.ts'
import { Button } from '#web/ui/controls/button.tsx'

type DownloadEverythingProps = { quiet?: boolean; children: ReactNode }

const mutationKey = ['export']

/** Downloads all data of the person, as one archive that the browser saves. */
export function DownloadEverything({ quiet = false, children }: DownloadEverythingProps) {
  const client = useQueryClient()
  const { mutate } = useMutation({
    mutationKey,
    mutationFn: () => request('prepareExport', {}),
    onSuccess: ({ url }) => save(url),
    onError: (error) => toastError(error, 'Failed to prepare the download'),
    gcTime: 0,
  })

  /** Ignores a second press that comes before the first one has been rendered. */
  function prepare() {
    if (client.isMutating({ mutationKey }) === 0) mutate()
  }

  return (
    <Button
      variant={quiet ? 'quiet' : 'secondary'}
      busy={useIsMutating({ mutationKey }) > 0}
      onClick={prepare}
    >
      {children}
    </Button>
  )
}

/** Starts a download without leaving the page, even if the server refuses it. */
function save(url: string) {
  const link = document.createElement('a')
  link.href = url
  link.download = ''
  link.click()
}
