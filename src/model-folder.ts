import { homedir } from 'node:os';
import { join } from 'node:path';

/** The models that `teapot models --setup` sets up. */
export const MODEL_NAMES = ['minilm', 'tiny-mlm', 'smollm'] as const;

/** One of {@link MODEL_NAMES}. */
export type ModelName = (typeof MODEL_NAMES)[number];

/** In the folder of a model: written last, so that with it everything is there. */
export const READY_FILE = 'ready.json';

/**
 * Where models are set up: the variable `TEAPOT_MODELS`, else `teapot/models` in the user's folder for caches.
 *
 * @param name A model: its own folder there.
 */
export function modelFolder(name?: ModelName): string {
  const { TEAPOT_MODELS: own, XDG_CACHE_HOME: xdg, LOCALAPPDATA: local } = process.env;
  const caches = (process.platform === 'win32' ? local : xdg) || join(homedir(), '.cache');
  const folder = own || join(caches, 'teapot', 'models');
  return name === undefined ? folder : join(folder, name);
}

/** A file beside the packages that run models, for looking them up. */
export function packagesOfModels(): string {
  return join(modelFolder(), 'packages', 'package.json');
}

/** The name of a model that can be set up; undefined for anything else. */
export function modelName(text: string): ModelName | undefined {
  return MODEL_NAMES.find((name) => name === text);
}
