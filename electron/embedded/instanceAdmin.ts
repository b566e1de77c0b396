/**
 * google.bigtable.admin.v2.BigtableInstanceAdmin, as far as tools ask before they work: every instance exists, has one cluster
 * `local` and one app profile `default` on it, and is ready.
 */
import type { google } from '@google-cloud/bigtable-api/build/protos/protos.js';
import { admin } from './protos.ts';
import { CODE, invalid, StatusError } from './status.ts';
import type { Tables } from './tables.ts';

type Admin = google.bigtable.admin.v2.IInstance;

const INSTANCE = /^projects\/[^/]{1,100}\/instances\/([^/]{1,100})$/;

export interface InstanceAdmin {
  getInstance(request: google.bigtable.admin.v2.IGetInstanceRequest): google.bigtable.admin.v2.IInstance;
  listInstances(request: google.bigtable.admin.v2.IListInstancesRequest): google.bigtable.admin.v2.IListInstancesResponse;
  getCluster(request: google.bigtable.admin.v2.IGetClusterRequest): google.bigtable.admin.v2.ICluster;
  listClusters(request: google.bigtable.admin.v2.IListClustersRequest): google.bigtable.admin.v2.IListClustersResponse;
  getAppProfile(request: google.bigtable.admin.v2.IGetAppProfileRequest): google.bigtable.admin.v2.IAppProfile;
  listAppProfiles(request: google.bigtable.admin.v2.IListAppProfilesRequest): google.bigtable.admin.v2.IListAppProfilesResponse;
}

export function createInstanceAdmin(tables: Tables): InstanceAdmin {
  const instance = (name: string): Admin => {
    const id = INSTANCE.exec(name)?.[1];
    if (!id) throw invalid(`Error in field 'name' : not projects/P/instances/I: '${name}'`);
    return { name, displayName: id, state: admin.Instance.State.READY, type: admin.Instance.Type.PRODUCTION };
  };
  const cluster = (name: string): google.bigtable.admin.v2.ICluster => ({ name, location: 'local', state: admin.Cluster.State.READY, serveNodes: 1, defaultStorageType: admin.StorageType.SSD });
  const names = (parent: string): (string | null | undefined)[] => (parent.endsWith('/instances/-') ? tables.instances().filter((name) => name.startsWith(parent.slice(0, -1))) : [instance(parent).name]);
  const profile = (name: string): google.bigtable.admin.v2.IAppProfile => ({ name, etag: '1', description: 'one cluster, single-row transactions', singleClusterRouting: { clusterId: 'local', allowTransactionalWrites: true } });
  return {
    getInstance: ({ name }) => instance(name ?? ''),
    listInstances: ({ parent }) => ({ instances: tables.instances().filter((name) => name.startsWith(`${parent ?? ''}/instances/`)).map(instance) }),
    getCluster: ({ name }) => cluster(name ?? ''),
    listClusters: ({ parent }) => ({ clusters: names(parent ?? '').map((name) => cluster(`${String(name)}/clusters/local`)) }),
    getAppProfile({ name }) {
      const [of, id] = (name ?? '').split('/appProfiles/');
      if (id !== 'default') throw new StatusError(CODE.notFound, `App profile not found: ${name ?? ''}`);
      return profile(`${String(instance(of ?? '').name)}/appProfiles/default`);
    },
    listAppProfiles: ({ parent }) => ({ appProfiles: names(parent ?? '').map((name) => profile(`${String(name)}/appProfiles/default`)) }),
  };
}
