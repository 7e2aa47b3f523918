import { useNonce } from './nonce.ts'

/** Runs a function as the document is read, before the app is there. It must stand on its own: only its text travels. */
export function InlineScript({ run }: { run: () => void }) {
  return (
    <script
      nonce={useNonce()}
      suppressHydrationWarning
      dangerouslySetInnerHTML={{ __html: `(${run.toString()})()` }}
    />
  )
}
