import type { LanguageFn } from 'highlight.js'
import highlighter from 'highlight.js/lib/core'
import arduino from 'highlight.js/lib/languages/arduino'
import bash from 'highlight.js/lib/languages/bash'
import c from 'highlight.js/lib/languages/c'
import cpp from 'highlight.js/lib/languages/cpp'
import css from 'highlight.js/lib/languages/css'
import dart from 'highlight.js/lib/languages/dart'
import diff from 'highlight.js/lib/languages/diff'
import dockerfile from 'highlight.js/lib/languages/dockerfile'
import go from 'highlight.js/lib/languages/go'
import graphql from 'highlight.js/lib/languages/graphql'
import ini from 'highlight.js/lib/languages/ini'
import java from 'highlight.js/lib/languages/java'
import javascript from 'highlight.js/lib/languages/javascript'
import json from 'highlight.js/lib/languages/json'
import kotlin from 'highlight.js/lib/languages/kotlin'
import latex from 'highlight.js/lib/languages/latex'
import lua from 'highlight.js/lib/languages/lua'
import makefile from 'highlight.js/lib/languages/makefile'
import nginx from 'highlight.js/lib/languages/nginx'
import php from 'highlight.js/lib/languages/php'
import powershell from 'highlight.js/lib/languages/powershell'
import python from 'highlight.js/lib/languages/python'
import r from 'highlight.js/lib/languages/r'
import rust from 'highlight.js/lib/languages/rust'
import scss from 'highlight.js/lib/languages/scss'
import sql from 'highlight.js/lib/languages/sql'
import swift from 'highlight.js/lib/languages/swift'
import typescript from 'highlight.js/lib/languages/typescript'
import xml from 'highlight.js/lib/languages/xml'
import yaml from 'highlight.js/lib/languages/yaml'
import type { Highlight } from './extras.ts'

/**
 * The grammars that are fast on any input. Those of C#, Ruby, Markdown and of shell sessions are not: each took seconds for some
 * 6,000 characters (docs/decisions/code-formulas-and-embeds.md).
 */
const grammars: Record<string, LanguageFn> = {
  arduino,
  bash,
  c,
  cpp,
  css,
  dart,
  diff,
  dockerfile,
  go,
  graphql,
  ini,
  java,
  javascript,
  json,
  kotlin,
  latex,
  lua,
  makefile,
  nginx,
  php,
  powershell,
  python,
  r,
  rust,
  scss,
  sql,
  swift,
  typescript,
  xml,
  yaml,
}

for (const [name, grammar] of Object.entries(grammars)) highlighter.registerLanguage(name, grammar)
highlighter.registerAliases(['console', 'shell', 'shellsession'], { languageName: 'bash' })
highlighter.registerAliases(['cs', 'csharp', 'c#'], { languageName: 'java' })
highlighter.configure({ classPrefix: 'code-' })

export const LANGUAGES = Object.keys(grammars)

/** Highlights code by the name of its language, as written after a fence. Emits only classes, no styles. */
export const highlight: Highlight = (code, language) =>
  highlighter.getLanguage(language) && highlighter.highlight(code, { language, ignoreIllegals: true }).value
