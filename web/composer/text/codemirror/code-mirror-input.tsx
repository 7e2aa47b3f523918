import type { Extension } from '@codemirror/state'
import { useEffect, useEffectEvent, useImperativeHandle, useLayoutEffect, useRef } from 'react'
import type { ContentInputProps } from '#web/composer/text/content-input.ts'
import type { Pasted } from '#web/composer/text/paste/paste-offer.tsx'
import { reportFailedLoad } from '#web/ui/dialogs/on-demand.tsx'
import { createEditor, type MarkdownEditor } from './create-editor.ts'

/** The content of an entry in CodeMirror. */
export function CodeMirrorInput({ ref, read, resets, ...props }: ContentInputProps) {
  const { readOnly, attributes, extension } = props
  const box = useRef<HTMLDivElement>(null)
  const editor = useRef<MarkdownEditor>(null)

  const onChange = useEffectEvent((text: string) => props.onChange(text))
  const onBlur = useEffectEvent(() => props.onBlur())
  const onPasted = useEffectEvent((pasted: Pasted) => props.onPasted(pasted))
  const readMentionable = useEffectEvent(async () => (await props.readMentionable?.()) ?? [])
  const create = useEffectEvent((parent: HTMLElement) =>
    createEditor(
      parent,
      read(),
      { readOnly, attributes },
      {
        change: (text) => onChange(text),
        blur: () => onBlur(),
        pasted: (pasted) => onPasted(pasted),
        takeFiles: (files, text) => extension?.takeFiles?.(files, text) ?? false,
        inserts: extension?.inserts ?? [],
        readMentionable,
      },
    ),
  )
  const reset = useEffectEvent(() => editor.current?.replace(read()))

  useLayoutEffect(() => {
    if (!box.current) return undefined
    const created = create(box.current)
    editor.current = created
    return () => {
      created.destroy()
      editor.current = null
    }
  }, [])

  useImperativeHandle(ref, () => ({
    selected: () => editor.current?.selected() ?? { text: '', start: 0, end: 0 },
    apply: (edit) => editor.current?.apply(edit),
    insertAtCaret: (inserted) => editor.current?.insertAtCaret(inserted),
    focus: () => editor.current?.focus(),
    placeCaret: () => editor.current?.placeCaret(),
    closeList: () => extension?.escape?.() === true || (editor.current?.closeList() ?? false),
    finder: () => editor.current?.finder() ?? null,
  }))

  useEffect(() => {
    if (resets > 0) reset()
  }, [resets])

  // Compared by content, because the attributes are a new object on every render.
  const described = JSON.stringify(attributes)
  useEffect(() => {
    editor.current?.configure({ readOnly, attributes: JSON.parse(described) as typeof attributes })
  }, [readOnly, described])

  useLayoutEffect(() => {
    let isMounted = true
    const extend = (loaded: Extension) => isMounted && editor.current?.extend(loaded)
    const loaded = extension?.load?.()
    if (loaded instanceof Promise) loaded.then(extend, reportFailedLoad)
    else if (loaded) extend(loaded)
    return () => {
      isMounted = false
    }
  }, [extension])

  return <div ref={box} className="markdown-editor" />
}
