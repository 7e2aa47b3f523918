import { useNonce } from './nonce.ts'

/** Runs a function in the head of the document, before anything is painted. It must stand on its own: only its text travels. */
export function HeadScript({ run }: { run: () => void }) {
  return (
    <script
      nonce={useNonce()}
      suppressHydrationWarning
      dangerouslySetInnerHTML={{ __html: `(${run.toString()})()` }}
    />
  )
}
