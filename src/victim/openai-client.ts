/**
 * The client of OpenAI-compatible endpoints. A module of its own, since the package `openai` (20 MB, most of it declarations) is
 * bundled into it when teapot is built: users install the part that is used.
 */
export { OpenAI } from 'openai';
