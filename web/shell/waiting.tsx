import { Spinner } from '#web/ui/spinner.tsx'

/** Stands where a screen will be. */
export function Waiting() {
  return (
    <div className="grid min-h-[60dvh] place-items-center">
      <title>Milepost</title>
      <Spinner />
    </div>
  )
}
