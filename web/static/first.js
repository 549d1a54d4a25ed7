// SPDX-License-Identifier: Apache-2.0
// The program that reads archives takes longest to come. So its worker begins to fetch it before the page's other scripts are here, and engine.js takes that worker over. If these
// scripts were faster, they have begun one, and the name firstWorker is there. @ts-check
'use strict';

if (!('firstWorker' in globalThis) && !/^#\/(bytes|hardware)/.test(location.hash)) {
  globalThis.firstWorker = new Worker('worker.js?program=explorer');
  globalThis.firstWorker.onerror = () => { globalThis.firstWorker = undefined; }; // the next one tells of it
}
