# SPDX-License-Identifier: GPL-3.0-or-later
# cluster.sh - a cluster on this machine: hosts that are network, UTS, IPC and mount namespaces, each with a name and an
# address of its own, on one bridge. MPI's launchers get there by nsenter instead of ssh, and speak TCP between hosts.
#
#   cluster_enter "$0" "$@"   before all else: runs the script again where network, mounts, names and process ids
#                             are its own, so all ends with it, however it ends. Sets $why_not where that cannot be
#   cluster_up N              hosts node1 ... nodeN, 10.77.0.1 ...; launchers know how to get there from now on, by
#                             their environment; $cluster has a file a host, and `agent`, which stands for ssh
#   cluster_on HOST COMMAND   on one of them
#   cluster_list N [SLOTS]    "node1:SLOTS,node2:SLOTS,..."
#   cluster_down              all processes of the hosts are killed; $cluster and the bridge go
#
# Needs root, or user namespaces; ip, unshare and nsenter.
cluster=
why_not=

# What is asked for, tried in small.
cluster_try() {
    for c in ip unshare nsenter hostname; do
        command -v $c >/dev/null || { why_not="no $c"; return 1; }
    done
    [ "$(id -u)" = 0 ] && cluster_user='' || cluster_user=--map-root-user
    # shellcheck disable=SC2086
    why_not=$(unshare $cluster_user --net --mount --uts --ipc --pid --fork --mount-proc --kill-child sh -c '
        ip link add br0 type bridge && ip link add v0 type veth peer name v1' 2>&1) && why_not= && return 0
    why_not="namespaces cannot be had: ${why_not:-no reason is given}"
    return 1
}

cluster_enter() {
    [ -z "${EZ_CLUSTER_INSIDE-}" ] || return 0
    cluster_try || return 0
    EZ_CLUSTER_INSIDE=1
    export EZ_CLUSTER_INSIDE
    # shellcheck disable=SC2086
    exec unshare $cluster_user --net --mount --uts --ipc --pid --fork --mount-proc --kill-child "$@"
}

cluster_agent() {
    cat <<END
#!/bin/sh
# agent [-OPTION...] HOST COMMAND...: as ssh does
while :; do case \$1 in -*) shift ;; *) break ;; esac; done
host=\${1##*@}
shift
exec nsenter -t "\$(cat "$cluster/\$host")" --net --uts --ipc --mount sh -c "\$*"
END
}

cluster_on() { "$cluster/agent" "$@"; }

cluster_host() { # NUMBER
    unshare --net --uts --ipc --mount sh -c "hostname node$1 && exec sleep 86400" &
    local pid=$! end=$(($(date +%s) + 60))
    echo $pid >"$cluster/node$1"
    cp "$cluster/node$1" "$cluster/10.77.0.$1"
    until [ "$(readlink /proc/$pid/ns/net)" != "$(readlink /proc/self/ns/net)" ] &&
        [ "$(nsenter -t $pid --uts hostname)" = "node$1" ]; do
        [ "$(date +%s)" -le $end ] && kill -0 $pid 2>/dev/null || return 1
        sleep 0.01
    done
    ip link add "port$1" type veth peer name eth0 netns $pid && ip link set "port$1" master ezbr up &&
        nsenter -t $pid --net sh -c "ip link set lo up; ip addr add 10.77.0.$1/24 dev eth0; ip link set eth0 up"
}

# The kernel tells a link's carrier some time after it is up; what is sent before is lost, and a launcher's daemon with it.
cluster_linked() { # NUMBER
    local end=$(($(date +%s) + 60))
    until cluster_on "node$1" ip -o link show eth0 | grep -q 'state UP' && bridge -o link show dev "port$1" | grep -q 'state forwarding'; do
        [ "$(date +%s)" -le $end ] || return 1
        sleep 0.01
    done
}

cluster_up() { # N
    cluster=$(mktemp -d) || return 1
    chmod 755 "$cluster"
    cluster_agent >"$cluster/agent"
    chmod 755 "$cluster/agent"
    { echo "127.0.0.1 localhost"; echo "10.77.0.254 front"
      for i in $(seq "$1"); do echo "10.77.0.$i node$i"; done; } >"$cluster/hosts"
    mount --bind "$cluster/hosts" /etc/hosts && hostname front && ip link set lo up &&
        ip link add ezbr type bridge && ip addr add 10.77.0.254/24 dev ezbr && ip link set ezbr up || return 1
    for i in $(seq "$1"); do cluster_host "$i" || return 1; done
    for i in $(seq "$1"); do cluster_linked "$i" || return 1; done
    mpi_here
    OMPI_MCA_plm_rsh_agent=$cluster/agent OMPI_MCA_routed=direct OMPI_MCA_plm_rsh_no_tree_spawn=1
    PRTE_MCA_plm_ssh_agent=$cluster/agent PRTE_MCA_plm_ssh_no_tree_spawn=1 # Open MPI 5
    export PRTE_MCA_plm_ssh_agent PRTE_MCA_plm_ssh_no_tree_spawn
    HYDRA_LAUNCHER=rsh HYDRA_LAUNCHER_EXEC=$cluster/agent
    export OMPI_MCA_routed OMPI_MCA_plm_rsh_no_tree_spawn OMPI_MCA_plm_rsh_agent HYDRA_LAUNCHER HYDRA_LAUNCHER_EXEC
}

cluster_list() { # N [SLOTS]
    seq -s , -f "node%g${2:+:$2}" 1 "$1"
}

cluster_down() {
    [ -n "$cluster" ] || return 0
    for f in "$cluster"/node*; do
        uts=$(readlink "/proc/$(cat "$f")/ns/uts") || continue
        for p in /proc/[0-9]*; do
            [ "$(readlink "$p/ns/uts" 2>/dev/null)" != "$uts" ] || kill -9 "${p#/proc/}" 2>/dev/null
        done
    done
    umount /etc/hosts
    ip link del ezbr
    rm -rf "$cluster"
    cluster=
}
