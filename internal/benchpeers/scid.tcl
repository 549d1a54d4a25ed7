# SPDX-License-Identifier: Apache-2.0
# What SCID does, by its own interpreter: tkscid scid.tcl version, import BASE FILE.pgn, or search BASE ROUNDS KIND ARGUMENTS.
# A search is made once, its games are counted, and it is made ROUNDS times more.
proc ::progressCallBack {args} {return 1}
lassign $argv task base rounds kind
switch $task {
  version { puts [sc_info version] }
  import {
    file delete {*}[glob -nocomplain $base.s?4]
    set db [sc_base create $base]
    sc_base import $db $rounds
    sc_base close $db
  }
  search {
    sc_base open $base
    set search [list sc_search $kind {*}[lrange $argv 4 end]]
    if {$kind eq "board"} {
      sc_game startBoard [lindex $argv 5]
      set search [list sc_search board RESET [lindex $argv 4] false false]
    }
    {*}$search
    puts [sc_filter count]
    for {set i 0} {$i < $rounds} {incr i} { {*}$search }
  }
}
exit 0
